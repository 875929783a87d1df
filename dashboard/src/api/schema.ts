// Made from openapi/console.json by `npm run openapi`. Do not edit.

export interface paths {
  '/console/api/me': { get: operations['readMe'] };
  '/console/api/me/confirm': { post: operations['confirm'] };
  '/console/api/invitations/{token}': { get: operations['readInvitation'] };
  '/console/api/join': { post: operations['join'] };
  '/console/api/invitations/accept': { post: operations['acceptInvitation'] };
  '/console/api/merchants/{merchantId}/team': { get: operations['readTeam'] };
  '/console/api/merchants/{merchantId}/team/invitations': { post: operations['invite'] };
  '/console/api/merchants/{merchantId}/team/invitations/{invitationId}': { delete: operations['withdrawInvitation'] };
  '/console/api/merchants/{merchantId}/team/members/{personId}': { put: operations['changeRole']; delete: operations['removeMember'] };
  '/console/api/host/team': { get: operations['readHostTeam'] };
  '/console/api/host/team/invitations': { post: operations['inviteToHost'] };
  '/console/api/host/team/invitations/{invitationId}': { delete: operations['withdrawHostInvitation'] };
  '/console/api/host/team/members/{personId}': { put: operations['changeHostRole']; delete: operations['removeHostMember'] };
  '/console/api/merchants/{merchantId}/overview': { get: operations['readOverview'] };
  '/console/api/merchants/{merchantId}/wallets': { get: operations['listWallets'] };
  '/console/api/merchants/{merchantId}/movements': { get: operations['listMovements'] };
  '/console/api/merchants/{merchantId}/statements': { get: operations['listStatements']; post: operations['askForStatement'] };
  '/console/api/merchants/{merchantId}/statements/{statementId}/fetch': { post: operations['fetchStatement'] };
}

export interface operations {
  /** Who is signed in, and what they may do */
  readMe: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly personId: string;
        readonly name: string;
        readonly email: string;
        readonly hasSecondFactor: boolean;
        readonly needsSecondFactor: boolean;
        readonly environment: "sandbox" | "production";
        readonly gateway: string;
        readonly host: {
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
          readonly permissions: readonly ("overview:read" | "payments:read" | "payments:reveal" | "payments:refund" | "payments:cancel" | "callbacks:resend" | "payouts:prepare" | "payouts:approve" | "wallets:read" | "statements:make" | "settings:read" | "settings:write" | "team:write" | "audit:read" | "host:read" | "merchants:write" | "providers:write" | "fees:write" | "cases:resolve" | "money:move" | "money:approve" | "personal-data:erase" | "host-team:write")[];
        } | null;
        readonly merchants: readonly {
          readonly merchantId: string;
          readonly name: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
          readonly permissions: readonly ("overview:read" | "payments:read" | "payments:reveal" | "payments:refund" | "payments:cancel" | "callbacks:resend" | "payouts:prepare" | "payouts:approve" | "wallets:read" | "statements:make" | "settings:read" | "settings:write" | "team:write" | "audit:read" | "host:read" | "merchants:write" | "providers:write" | "fees:write" | "cases:resolve" | "money:move" | "money:approve" | "personal-data:erase" | "host-team:write")[];
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Confirm with the password that it is you, for ten minutes of dangerous acts */
  confirm: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly password: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly confirmedUntil: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** What a link invites to */
  readInvitation: {
    parameters: {
      path: {
        token: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly email: string;
        readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
        readonly team: string;
        readonly isKnown: boolean;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Make an account from an invitation */
  join: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly token: string;
      readonly name: string;
      readonly password: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Accept an invitation with the account you have */
  acceptInvitation: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly token: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** A merchant's people and open invitations */
  readTeam: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly members: readonly {
          readonly personId: string;
          readonly name: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
          readonly hasSecondFactor: boolean;
          readonly since: string;
        }[];
        readonly invitations: readonly {
          readonly invitationId: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
          readonly invitedBy: string;
          readonly expiresAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Invite somebody */
  invite: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly email: string;
      readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly link: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Withdraw an invitation */
  withdrawInvitation: {
    parameters: {
      path: {
        merchantId: string;
        invitationId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Give somebody another role */
  changeRole: {
    parameters: {
      path: {
        merchantId: string;
        personId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Remove somebody; their sessions end at once */
  removeMember: {
    parameters: {
      path: {
        merchantId: string;
        personId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** The host's people and open invitations */
  readHostTeam: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly members: readonly {
          readonly personId: string;
          readonly name: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
          readonly hasSecondFactor: boolean;
          readonly since: string;
        }[];
        readonly invitations: readonly {
          readonly invitationId: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
          readonly invitedBy: string;
          readonly expiresAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Invite somebody to the host */
  inviteToHost: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly email: string;
      readonly role: "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly link: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Withdraw an invitation to the host */
  withdrawHostInvitation: {
    parameters: {
      path: {
        invitationId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Give somebody of the host another role */
  changeHostRole: {
    parameters: {
      path: {
        personId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly role: "OPERATOR_ADMIN" | "OPERATOR_SUPPORT";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Remove somebody of the host */
  removeHostMember: {
    parameters: {
      path: {
        personId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** How payments that ended in a span of days went, and what is in the wallets */
  readOverview: {
    parameters: {
      path: {
        merchantId: string;
      };
      query: {
        from: string;
        to: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly from: string;
        readonly until: string;
        readonly countedUntil: string | null;
        readonly isCatchingUp: boolean;
        readonly step: "HOUR" | "DAY";
        readonly volumes: readonly {
          readonly at: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly completed: number;
          readonly completedAmount: string;
          readonly failed: number;
          readonly failedAmount: string;
        }[];
        readonly totals: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly completed: number;
          readonly completedAmount: string;
          readonly failed: number;
          readonly failedAmount: string;
        }[];
        readonly providers: readonly {
          readonly provider: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly completed: number;
          readonly failed: number;
          readonly meanSeconds: number | null;
          readonly p50Seconds: number | null;
          readonly p90Seconds: number | null;
        }[];
        readonly kinds: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly completed: number;
          readonly failed: number;
          readonly meanSeconds: number | null;
          readonly p50Seconds: number | null;
          readonly p90Seconds: number | null;
        }[];
        readonly failures: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly count: number;
        }[];
        readonly wallets: readonly {
          readonly country: string;
          readonly currency: string;
          readonly provider: string;
          readonly available: string;
          readonly held: string;
        }[] | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** What is in the wallets, and what of it is held */
  listWallets: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly wallets: readonly {
          readonly country: string;
          readonly currency: string;
          readonly provider: string;
          readonly available: string;
          readonly held: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** What moved a wallet, the newest first */
  listMovements: {
    parameters: {
      path: {
        merchantId: string;
      };
      query: {
        country: string;
        currency: string;
        provider?: string;
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly at: string;
          readonly type: string;
          readonly id: string;
          readonly amount: string;
          readonly fee: string;
          readonly net: string;
          readonly payment: {
            readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
            readonly paymentId: string;
            readonly state: string;
            readonly provider: string;
          } | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Statements that were asked for, by people or by API, the newest first */
  listStatements: {
    parameters: {
      path: {
        merchantId: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly statementId: string;
          readonly status: "PROCESSING" | "COMPLETED" | "FAILED";
          readonly wallet: {
            readonly country: string;
            readonly currency: string;
            readonly provider: string;
          };
          readonly startsAt: string;
          readonly endsAt: string;
          readonly coversUntil: string;
          readonly createdAt: string;
          readonly isCompressed: boolean;
          readonly isReady: boolean;
          readonly fileBytes: number | null;
          readonly rowCount: number | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Ask for a statement of a wallet */
  askForStatement: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly wallet: {
        readonly country: string;
        readonly currency: string;
        readonly provider?: string;
      };
      readonly from: string;
      readonly to: string;
      readonly isCompressed: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly statementId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
  /** Where the file of a statement is; it is written down who asked */
  fetchStatement: {
    parameters: {
      path: {
        merchantId: string;
        statementId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly path: string;
        readonly expiresAt: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
        };
      } } };
    };
  };
}
