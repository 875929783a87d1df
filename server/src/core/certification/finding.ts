// What was found by trying one case.

export type Finding = { readonly result: 'PROVED' | 'FAILED' | 'NOT_TRIED'; readonly said: string };

export function proved(said: string): Finding {
  return { result: 'PROVED', said };
}

export function failed(said: string): Finding {
  return { result: 'FAILED', said };
}

export function notTried(said: string): Finding {
  return { result: 'NOT_TRIED', said };
}
