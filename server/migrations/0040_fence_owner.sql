-- Whose fence it is that keeps a merchant still: a mover that stood still must not decide under another mover's fence.
alter table merchant_fences add column lock_id uuid;
