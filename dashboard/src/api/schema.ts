// Made from openapi/console.json by `npm run generate:openapi`. Do not edit.

export interface paths {
  '/console/api/me': { get: operations['readMe'] };
  '/console/api/me/language': { put: operations['setLanguage'] };
  '/console/api/sign-in': { get: operations['readSignIn'] };
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
  '/console/api/merchants/{merchantId}/approvals': { get: operations['listApprovals'] };
  '/console/api/merchants/{merchantId}/approvals/{approvalId}': { get: operations['readApproval'] };
  '/console/api/merchants/{merchantId}/approvals/{approvalId}/approve': { post: operations['approveApproval'] };
  '/console/api/merchants/{merchantId}/approvals/{approvalId}/reject': { post: operations['rejectApproval'] };
  '/console/api/merchants/{merchantId}/approvals/{approvalId}/withdraw': { post: operations['withdrawApproval'] };
  '/console/api/host/approvals': { get: operations['listHostApprovals'] };
  '/console/api/host/approvals/{approvalId}': { get: operations['readHostApproval'] };
  '/console/api/host/approvals/{approvalId}/approve': { post: operations['approveHostApproval'] };
  '/console/api/host/approvals/{approvalId}/reject': { post: operations['rejectHostApproval'] };
  '/console/api/host/approvals/{approvalId}/withdraw': { post: operations['withdrawHostApproval'] };
  '/console/api/host/badges': { get: operations['readHostBadges'] };
  '/console/api/merchants/{merchantId}/badges': { get: operations['readMerchantBadges'] };
  '/console/api/merchants/{merchantId}/payout-options': { get: operations['readPayoutOptions'] };
  '/console/api/merchants/{merchantId}/payouts': { post: operations['preparePayout'] };
  '/console/api/merchants/{merchantId}/payout-batches': { get: operations['listPayoutBatches']; post: operations['preparePayoutBatch'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}': { get: operations['readPayoutBatch'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/rows': { get: operations['listPayoutBatchRows'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/rows/reveal': { post: operations['revealPayoutBatchRows'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/results': { get: operations['readPayoutResults'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/results/reveal': { post: operations['revealPayoutResults'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/send': { post: operations['sendPayoutBatch'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/cancel': { post: operations['cancelPayoutBatch'] };
  '/console/api/merchants/{merchantId}/payouts/holder': { post: operations['lookUpPayoutHolder'] };
  '/console/api/merchants/{merchantId}/payout-batches/{batchId}/holder': { post: operations['lookUpBatchHolder'] };
  '/console/api/merchants/{merchantId}/payout-limits': { get: operations['listPayoutLimits'] };
  '/console/api/merchants/{merchantId}/payout-limits/{currency}': { put: operations['changePayoutLimit'] };
  '/console/api/catalogue': { get: operations['readCatalogue'] };
  '/console/api/merchants/{merchantId}/payments': { get: operations['listPayments'] };
  '/console/api/merchants/{merchantId}/payments/totals': { get: operations['totalPayments'] };
  '/console/api/merchants/{merchantId}/payments/export': { post: operations['exportPayments'] };
  '/console/api/host/payments': { get: operations['listAllPayments'] };
  '/console/api/host/payments/totals': { get: operations['totalAllPayments'] };
  '/console/api/host/payments/export': { post: operations['exportAllPayments'] };
  '/console/api/merchants/{merchantId}/providers': { get: operations['listUsedProviders'] };
  '/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}': { get: operations['readPayment'] };
  '/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/reveal': { post: operations['revealPayment'] };
  '/console/api/merchants/{merchantId}/payments/DEPOSIT/{paymentId}/refund': { post: operations['refundPayment'] };
  '/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/cancel': { post: operations['cancelPayment'] };
  '/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/callback': { post: operations['resendCallback'] };
  '/console/api/merchants/{merchantId}/callbacks/replay': { post: operations['replayCallbacks'] };
  '/console/api/merchants/{merchantId}/payment-links': { get: operations['listPaymentLinks']; post: operations['createPaymentLink'] };
  '/console/api/merchants/{merchantId}/payment-links/{linkId}/deactivate': { post: operations['deactivatePaymentLink'] };
  '/console/api/merchants/{merchantId}/callback-deliveries': { get: operations['listDeliveries'] };
  '/console/api/merchants/{merchantId}/callback-deliveries/{callbackId}': { get: operations['readDelivery'] };
  '/console/api/merchants/{merchantId}/callbacks': { get: operations['readCallbackAddresses']; put: operations['setCallbackAddress'] };
  '/console/api/merchants/{merchantId}/callbacks/{kind}/enable': { post: operations['enableCallbackAddress'] };
  '/console/api/merchants/{merchantId}/callbacks/{kind}/test': { post: operations['testCallbackAddress'] };
  '/console/api/merchants/{merchantId}/tokens': { get: operations['readTokens']; post: operations['createToken'] };
  '/console/api/merchants/{merchantId}/tokens/{tokenId}': { delete: operations['revokeToken'] };
  '/console/api/merchants/{merchantId}/keys': { get: operations['readKeys']; post: operations['addKey'] };
  '/console/api/merchants/{merchantId}/keys/{name}': { delete: operations['removeKey'] };
  '/console/api/merchants/{merchantId}/signed-requests-only': { put: operations['requireSignatures'] };
  '/console/api/merchants/{merchantId}/signed-pages-only': { put: operations['requirePageSignatures'] };
  '/console/api/merchants/{merchantId}/page-brand': { get: operations['readPageBrand']; put: operations['setPageBrand'] };
  '/console/api/merchants/{merchantId}/regional-settings': { put: operations['setRegionalSettings'] };
  '/console/api/merchants/{merchantId}/audit': { get: operations['listAudit'] };
  '/console/api/host/problems': { get: operations['listProblems'] };
  '/console/api/host/overview': { get: operations['readPlatformOverview'] };
  '/console/api/host/merchants': { get: operations['listMerchants']; post: operations['createMerchant'] };
  '/console/api/host/merchants/{merchantId}': { get: operations['readMerchant'] };
  '/console/api/host/merchants/{merchantId}/suspension': { put: operations['suspendMerchant'] };
  '/console/api/host/merchants/{merchantId}/cancel-unsent-payments': { post: operations['cancelUnsentPayments'] };
  '/console/api/host/merchants/{merchantId}/operations': { put: operations['changeOperations'] };
  '/console/api/host/merchants/{merchantId}/providers': { put: operations['switchProviders'] };
  '/console/api/host/providers': { get: operations['listProviders'] };
  '/console/api/host/incidents': { get: operations['listIncidents'] };
  '/console/api/host/providers/{provider}/{operation}/availability': { put: operations['setAvailability'] };
  '/console/api/host/unclear-payments': { get: operations['listUnclearPayments'] };
  '/console/api/host/payments/{merchantId}/{kind}/{paymentId}/evidence': { post: operations['readEvidence'] };
  '/console/api/host/payments/{merchantId}/{kind}/{paymentId}/end': { post: operations['endPayment'] };
  '/console/api/host/cases': { get: operations['listCases'] };
  '/console/api/host/cases/{caseId}/statement': { post: operations['readCaseStatement'] };
  '/console/api/host/cases/{caseId}/resolution': { post: operations['requestResolution'] };
  '/console/api/host/late-payments': { get: operations['listLatePayments'] };
  '/console/api/host/endpoint-queues': { get: operations['listFailingEndpoints'] };
  '/console/api/host/unmatched-notifications': { get: operations['listUnmatchedNotifications'] };
  '/console/api/host/unmatched-notifications/{notificationId}/dismiss': { post: operations['dismissNotification'] };
  '/console/api/host/lost-payments': { get: operations['listLostPayments']; post: operations['decideLostPayment'] };
  '/console/api/host/accounts': { get: operations['listAccounts'] };
  '/console/api/host/accounts/{accountId}/movements': { get: operations['listAccountMovements'] };
  '/console/api/host/transfers/{merchantId}/{kind}/{subjectId}': { get: operations['readTransfers'] };
  '/console/api/host/trial-balance': { get: operations['readTrialBalance'] };
  '/console/api/host/floats': { get: operations['readFloats'] };
  '/console/api/host/merchants/{merchantId}/wallet-places': { get: operations['listWalletPlaces'] };
  '/console/api/host/money-requests': { post: operations['requestMoney'] };
  '/console/api/host/float-movements': { post: operations['requestFloatMovement'] };
  '/console/api/host/daily-closes': { get: operations['listCloseAccounts'] };
  '/console/api/host/daily-closes/{provider}/{currency}': { get: operations['listCloseDays'] };
  '/console/api/host/daily-closes/{provider}/{currency}/first-day': { post: operations['setFirstDay'] };
  '/console/api/host/daily-closes/{provider}/{currency}/days/{day}': { get: operations['readClose'] };
  '/console/api/host/daily-closes/{provider}/{currency}/days/{day}/sign': { post: operations['signClose'] };
  '/console/api/host/daily-closes/{provider}/{currency}/days/{day}/reopen': { post: operations['reopenClose'] };
  '/console/api/host/daily-closes/{provider}/{currency}/days/{day}/export': { post: operations['exportClose'] };
  '/console/api/host/daily-closes/{provider}/{currency}/mappings': { get: operations['listReportMappings'] };
  '/console/api/host/daily-closes/{provider}/{currency}/mappings/{source}': { put: operations['setReportMapping'] };
  '/console/api/host/operator-reports/{reportId}/proposals': { get: operations['listProposedLines'] };
  '/console/api/host/operator-reports/{reportId}/reading': { get: operations['readRefusedReport']; post: operations['acceptRefusedReport'] };
  '/console/api/host/report-files/{fileId}/void': { post: operations['voidFile'] };
  '/console/api/host/daily-closes/{provider}/{currency}/uploads': { get: operations['listReportUploads']; post: operations['uploadReport'] };
  '/console/api/host/merchants/{merchantId}/fees': { get: operations['listFees']; put: operations['setFee'] };
  '/console/api/host/audit': { get: operations['listHostAudit'] };
  '/console/api/host/health': { get: operations['readHealth'] };
  '/console/api/host/retention': { get: operations['readRetention'] };
  '/console/api/host/erasures': { post: operations['erasePerson'] };
  '/console/api/host/freezes': { get: operations['listFreezes']; post: operations['freeze'] };
  '/console/api/host/freezes/{freezeId}/lift': { post: operations['liftFreeze'] };
  '/console/api/host/freezes/{freezeId}/reveal': { post: operations['revealFrozenNumber'] };
  '/console/api/host/risk-events': { get: operations['listRiskEvents'] };
  '/console/api/host/holds': { get: operations['listHolds'] };
  '/console/api/host/listed-numbers': { get: operations['listNumbers']; post: operations['addNumber'] };
  '/console/api/host/listed-numbers/find': { post: operations['findNumber'] };
  '/console/api/host/listed-numbers/{entryId}/reveal': { post: operations['revealNumber'] };
  '/console/api/host/number-requests/{approvalId}': { get: operations['listRequestedNumbers'] };
  '/console/api/host/number-requests/{approvalId}/reveal': { post: operations['revealRequestedNumbers'] };
  '/console/api/host/listed-numbers/{entryId}/remove': { post: operations['removeNumber'] };
  '/console/api/host/listed-numbers/import': { post: operations['importNumbers'] };
  '/console/api/host/listed-numbers/export': { post: operations['exportNumbers'] };
  '/console/api/host/reviews': { get: operations['listReviews']; post: operations['requestReview'] };
  '/console/api/host/merchants/{merchantId}/review-rules': { get: operations['listReviewRules']; put: operations['setReviewRule'] };
  '/console/api/host/merchants/{merchantId}/review-rules/remove': { post: operations['removeReviewRule'] };
  '/console/api/merchants/{merchantId}/limits': { get: operations['listLimits']; put: operations['setLimit'] };
  '/console/api/merchants/{merchantId}/limits/remove': { post: operations['removeLimit'] };
  '/console/api/host/merchants/{merchantId}/limits': { put: operations['setPlatformLimit'] };
  '/console/api/host/merchants/{merchantId}/limits/remove': { post: operations['removePlatformLimit'] };
  '/console/api/merchants/{merchantId}/overview': { get: operations['readOverview'] };
  '/console/api/merchants/{merchantId}/wallets': { get: operations['listWallets'] };
  '/console/api/merchants/{merchantId}/wallet-alerts': { put: operations['setWalletAlert'] };
  '/console/api/merchants/{merchantId}/movements': { get: operations['listWalletMovements'] };
  '/console/api/merchants/{merchantId}/bank-accounts': { get: operations['listBankAccounts'] };
  '/console/api/merchants/{merchantId}/bank-accounts/{currency}': { put: operations['requestBankAccount'] };
  '/console/api/merchants/{merchantId}/settlements': { get: operations['listMerchantSettlements']; post: operations['requestSettlement'] };
  '/console/api/host/settlements': { get: operations['listSettlements'] };
  '/console/api/host/settlements/{settlementId}/account': { post: operations['revealSettlementAccount'] };
  '/console/api/host/settlements/{settlementId}/paid': { post: operations['requestSettlementPaid'] };
  '/console/api/host/settlements/{settlementId}/reject': { post: operations['requestSettlementRejection'] };
  '/console/api/merchants/{merchantId}/statements': { get: operations['listStatements']; post: operations['askForStatement'] };
  '/console/api/merchants/{merchantId}/statements/{statementId}/fetch': { post: operations['fetchStatement'] };
}

export interface operations {
  /** Show the signed-in person and their permissions */
  readMe: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly personId: string;
        readonly language: "en" | "fr" | null;
        readonly name: string;
        readonly email: string;
        readonly hasTwoFactor: boolean;
        readonly needsTwoFactor: boolean;
        readonly signedInWith: "PASSWORD" | "PROVIDER";
        readonly environment: "sandbox" | "production";
        readonly gateway: string;
        readonly host: {
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
          readonly permissions: readonly ("overview:read" | "payments:read" | "payments:reveal" | "payments:refund" | "payments:cancel" | "payment-links:write" | "callbacks:resend" | "payouts:prepare" | "payouts:approve" | "wallets:read" | "statements:make" | "settings:read" | "settings:write" | "team:write" | "approvals:read" | "approvals:decide" | "audit:read" | "host:read" | "merchants:write" | "providers:write" | "fees:write" | "risk:write" | "cases:resolve" | "money:move" | "money:approve" | "personal-data:erase" | "host-team:write")[];
          readonly withinMerchants: readonly ("overview:read" | "payments:read" | "payments:reveal" | "payments:refund" | "payments:cancel" | "payment-links:write" | "callbacks:resend" | "payouts:prepare" | "payouts:approve" | "wallets:read" | "statements:make" | "settings:read" | "settings:write" | "team:write" | "approvals:read" | "approvals:decide" | "audit:read" | "host:read" | "merchants:write" | "providers:write" | "fees:write" | "risk:write" | "cases:resolve" | "money:move" | "money:approve" | "personal-data:erase" | "host-team:write")[];
        } | null;
        readonly merchants: readonly {
          readonly merchantId: string;
          readonly name: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
          readonly timeZone: string;
          readonly homeCurrency: string | null;
          readonly permissions: readonly ("overview:read" | "payments:read" | "payments:reveal" | "payments:refund" | "payments:cancel" | "payment-links:write" | "callbacks:resend" | "payouts:prepare" | "payouts:approve" | "wallets:read" | "statements:make" | "settings:read" | "settings:write" | "team:write" | "approvals:read" | "approvals:decide" | "audit:read" | "host:read" | "merchants:write" | "providers:write" | "fees:write" | "risk:write" | "cases:resolve" | "money:move" | "money:approve" | "personal-data:erase" | "host-team:write")[];
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set the language of mails */
  setLanguage: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly language: "en" | "fr";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List the ways to sign in */
  readSignIn: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly provider: {
          readonly name: string;
        } | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Confirm with the password, for ten minutes of sensitive actions */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Show what an invitation is for */
  readInvitation: {
    parameters: {
      path: {
        token: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly email: string;
        readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
        readonly team: string;
        readonly isKnown: boolean;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Create an account from an invitation */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Accept an invitation with an existing account */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List a merchant's people and open invitations */
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
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
          readonly hasTwoFactor: boolean;
          readonly since: string;
        }[];
        readonly invitations: readonly {
          readonly invitationId: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
          readonly invitedBy: string;
          readonly expiresAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Invite a person; a role that can approve needs a second approver */
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
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Change a person's role; a higher one needs a second approver */
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
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Remove a person; their sessions end at once */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List the platform's people and open invitations */
  readHostTeam: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly members: readonly {
          readonly personId: string;
          readonly name: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
          readonly hasTwoFactor: boolean;
          readonly since: string;
        }[];
        readonly invitations: readonly {
          readonly invitationId: string;
          readonly email: string;
          readonly role: "OWNER" | "DEVELOPER" | "FINANCE" | "SUPPORT" | "READ_ONLY" | "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
          readonly invitedBy: string;
          readonly expiresAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Invite a person to the platform; an administrator needs a second approver */
  inviteToHost: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly email: string;
      readonly role: "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly link: string | null;
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Withdraw an invitation to the platform */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Change the role of a person of the platform */
  changeHostRole: {
    parameters: {
      path: {
        personId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly role: "OPERATOR_ADMIN" | "OPERATOR_SUPPORT" | "BREAK_GLASS";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Remove a person of the platform */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List pending requests, the oldest first, or decided ones, the newest first */
  listApprovals: {
    parameters: {
      path: {
        merchantId: string;
      };
      query: {
        limit?: string;
        cursor?: string;
        status: "PENDING" | "DECIDED";
        kinds?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly approvalId: string;
          readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly subject: string;
          readonly details: { readonly [name: string]: string };
          readonly hash: string;
          readonly effect: {
            readonly currency: string;
            readonly postings: readonly {
              readonly debit: string;
              readonly credit: string;
              readonly amount: string;
            }[];
            readonly available: string;
            readonly owed: string;
          } | null;
          readonly reason: string | null;
          readonly isPlatform: boolean;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly isOwn: boolean;
          readonly mayDecide: boolean;
          readonly rejectionSaysWhy: boolean;
          readonly approvalsNeeded: number;
          readonly confirmedBy: string | null;
          readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
          readonly decision: {
            readonly by: string;
            readonly at: string;
            readonly reason: string | null;
          } | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** One request */
  readApproval: {
    parameters: {
      path: {
        merchantId: string;
        approvalId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
        readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
        readonly merchantId: string | null;
        readonly merchant: string | null;
        readonly subject: string;
        readonly details: { readonly [name: string]: string };
        readonly hash: string;
        readonly effect: {
          readonly currency: string;
          readonly postings: readonly {
            readonly debit: string;
            readonly credit: string;
            readonly amount: string;
          }[];
          readonly available: string;
          readonly owed: string;
        } | null;
        readonly reason: string | null;
        readonly isPlatform: boolean;
        readonly requestedBy: string;
        readonly requestedAt: string;
        readonly isOwn: boolean;
        readonly mayDecide: boolean;
        readonly rejectionSaysWhy: boolean;
        readonly approvalsNeeded: number;
        readonly confirmedBy: string | null;
        readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
        readonly decision: {
          readonly by: string;
          readonly at: string;
          readonly reason: string | null;
        } | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Approve what another person requested */
  approveApproval: {
    parameters: {
      path: {
        merchantId: string;
        approvalId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly hash: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly link: string | null;
        readonly outcome: "DONE" | "CONFIRMED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Reject what another person requested */
  rejectApproval: {
    parameters: {
      path: {
        merchantId: string;
        approvalId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Withdraw what you requested */
  withdrawApproval: {
    parameters: {
      path: {
        merchantId: string;
        approvalId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List pending requests, the oldest first, or decided ones, the newest first */
  listHostApprovals: {
    parameters: {
      query: {
        limit?: string;
        cursor?: string;
        status: "PENDING" | "DECIDED";
        kinds?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly approvalId: string;
          readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly subject: string;
          readonly details: { readonly [name: string]: string };
          readonly hash: string;
          readonly effect: {
            readonly currency: string;
            readonly postings: readonly {
              readonly debit: string;
              readonly credit: string;
              readonly amount: string;
            }[];
            readonly available: string;
            readonly owed: string;
          } | null;
          readonly reason: string | null;
          readonly isPlatform: boolean;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly isOwn: boolean;
          readonly mayDecide: boolean;
          readonly rejectionSaysWhy: boolean;
          readonly approvalsNeeded: number;
          readonly confirmedBy: string | null;
          readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
          readonly decision: {
            readonly by: string;
            readonly at: string;
            readonly reason: string | null;
          } | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** One request */
  readHostApproval: {
    parameters: {
      path: {
        approvalId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
        readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
        readonly merchantId: string | null;
        readonly merchant: string | null;
        readonly subject: string;
        readonly details: { readonly [name: string]: string };
        readonly hash: string;
        readonly effect: {
          readonly currency: string;
          readonly postings: readonly {
            readonly debit: string;
            readonly credit: string;
            readonly amount: string;
          }[];
          readonly available: string;
          readonly owed: string;
        } | null;
        readonly reason: string | null;
        readonly isPlatform: boolean;
        readonly requestedBy: string;
        readonly requestedAt: string;
        readonly isOwn: boolean;
        readonly mayDecide: boolean;
        readonly rejectionSaysWhy: boolean;
        readonly approvalsNeeded: number;
        readonly confirmedBy: string | null;
        readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
        readonly decision: {
          readonly by: string;
          readonly at: string;
          readonly reason: string | null;
        } | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Approve what another person requested */
  approveHostApproval: {
    parameters: {
      path: {
        approvalId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly hash: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly link: string | null;
        readonly outcome: "DONE" | "CONFIRMED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Reject what another person requested */
  rejectHostApproval: {
    parameters: {
      path: {
        approvalId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Withdraw what you requested */
  withdrawHostApproval: {
    parameters: {
      path: {
        approvalId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Count approvals, cases, payments, endpoints and settlements that need attention */
  readHostBadges: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly approvals: number | null;
        readonly cases: number | null;
        readonly payments: number | null;
        readonly endpoints: number | null;
        readonly settlements: number | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Count a merchant's approvals and endpoints that need attention */
  readMerchantBadges: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly approvals: number | null;
        readonly cases: number | null;
        readonly payments: number | null;
        readonly endpoints: number | null;
        readonly settlements: number | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List providers and limits for payouts */
  readPayoutOptions: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly providers: readonly {
          readonly provider: string;
          readonly name: string;
          readonly country: string;
          readonly currency: string;
          readonly decimals: number;
          readonly minAmount: string;
          readonly maxAmount: string;
          readonly status: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Prepare one payout, as a batch of one */
  preparePayout: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly phoneNumber: string;
      readonly provider?: string;
      readonly country?: string;
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      readonly recipientName?: string;
      /** May be shown to the customer in the SMS receipt or the transaction history, depending on the provider. Without it, the name of your company is used, trimmed to fit. */
      readonly customerMessage?: string;
      /** Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique. */
      readonly clientReferenceId?: string;
      readonly repeatsAreMeant?: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly batchId: string | null;
        readonly rowCount: number;
        readonly faultCount: number;
        readonly faults: readonly {
          readonly row: number;
          readonly column: string;
          readonly code: string;
          readonly parameters: { readonly [name: string]: string };
        }[];
        readonly repeats: readonly {
          readonly same: "RECIPIENT_AND_AMOUNT" | "CLIENT_REFERENCE";
          readonly rows: readonly number[];
        }[];
        readonly sameAsBatchId: string | null;
        readonly wallets: readonly {
          readonly country: string;
          readonly currency: string;
          readonly provider: string | null;
          readonly count: number;
          readonly amount: string;
          readonly fee: string;
          readonly available: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Batches of payouts, the newest first */
  listPayoutBatches: {
    parameters: {
      path: {
        merchantId: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
        status?: "WAITING" | "SENDING" | "DONE" | "STOPPED" | "CANCELLED";
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly batchId: string;
          readonly title: string;
          readonly source: "FILE" | "FORM";
          readonly status: "WAITING" | "SENDING" | "DONE" | "STOPPED" | "CANCELLED";
          readonly count: number;
          readonly acceptedCount: number;
          readonly rejectedCount: number;
          readonly cancelledCount: number;
          readonly preparedBy: string;
          readonly preparedAt: string;
          readonly needsApproval: boolean;
          readonly cancelledBy: string | null;
          readonly endedAt: string | null;
          readonly sums: readonly {
            readonly country: string;
            readonly currency: string;
            readonly provider: string | null;
            readonly count: number;
            readonly amount: string;
            readonly fee: string;
          }[];
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Check a file of payouts and, if it has no errors, prepare a batch */
  preparePayoutBatch: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly title: string;
      readonly file: string;
      readonly repeatsAreMeant?: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly batchId: string | null;
        readonly rowCount: number;
        readonly faultCount: number;
        readonly faults: readonly {
          readonly row: number;
          readonly column: string;
          readonly code: string;
          readonly parameters: { readonly [name: string]: string };
        }[];
        readonly repeats: readonly {
          readonly same: "RECIPIENT_AND_AMOUNT" | "CLIENT_REFERENCE";
          readonly rows: readonly number[];
        }[];
        readonly sameAsBatchId: string | null;
        readonly wallets: readonly {
          readonly country: string;
          readonly currency: string;
          readonly provider: string | null;
          readonly count: number;
          readonly amount: string;
          readonly fee: string;
          readonly available: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Show a batch, its wallets and its progress */
  readPayoutBatch: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly batchId: string;
        readonly title: string;
        readonly source: "FILE" | "FORM";
        readonly status: "WAITING" | "SENDING" | "DONE" | "STOPPED" | "CANCELLED";
        readonly count: number;
        readonly acceptedCount: number;
        readonly rejectedCount: number;
        readonly cancelledCount: number;
        readonly preparedBy: string;
        readonly preparedAt: string;
        readonly needsApproval: boolean;
        readonly cancelledBy: string | null;
        readonly endedAt: string | null;
        readonly isOwn: boolean;
        readonly approval: {
          readonly approvalId: string;
          readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly subject: string;
          readonly details: { readonly [name: string]: string };
          readonly hash: string;
          readonly effect: {
            readonly currency: string;
            readonly postings: readonly {
              readonly debit: string;
              readonly credit: string;
              readonly amount: string;
            }[];
            readonly available: string;
            readonly owed: string;
          } | null;
          readonly reason: string | null;
          readonly isPlatform: boolean;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly isOwn: boolean;
          readonly mayDecide: boolean;
          readonly rejectionSaysWhy: boolean;
          readonly approvalsNeeded: number;
          readonly confirmedBy: string | null;
          readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
          readonly decision: {
            readonly by: string;
            readonly at: string;
            readonly reason: string | null;
          } | null;
        } | null;
        readonly wallets: readonly {
          readonly country: string;
          readonly currency: string;
          readonly provider: string | null;
          readonly count: number;
          readonly amount: string;
          readonly fee: string;
          readonly available: string;
        }[];
        readonly states: { readonly [name: string]: number };
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The payouts of a batch, in the order of the file */
  listPayoutBatchRows: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly row: number;
          readonly payoutId: string;
          readonly phoneNumber: string;
          readonly recipientName: string | null;
          readonly provider: string;
          readonly currency: string;
          readonly amount: string;
          readonly fee: string;
          readonly clientReferenceId: string | null;
          readonly status: "WAITING" | "CLAIMED" | "ACCEPTED" | "REJECTED" | "CANCELLED";
          readonly state: string | null;
          readonly failureCode: string | null;
          readonly providerTransactionId: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The same page with names and numbers in full; asking is recorded */
  revealPayoutBatchRows: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly limit?: string;
      readonly cursor?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly row: number;
          readonly payoutId: string;
          readonly phoneNumber: string;
          readonly recipientName: string | null;
          readonly provider: string;
          readonly currency: string;
          readonly amount: string;
          readonly fee: string;
          readonly clientReferenceId: string | null;
          readonly status: "WAITING" | "CLAIMED" | "ACCEPTED" | "REJECTED" | "CANCELLED";
          readonly state: string | null;
          readonly failureCode: string | null;
          readonly providerTransactionId: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The outcome of every payout of a batch, as comma-separated values with masked numbers */
  readPayoutResults: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly fileName: string;
        readonly file: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The same with numbers in full; access is recorded */
  revealPayoutResults: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly fileName: string;
        readonly file: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Send a batch, or request approval */
  sendPayoutBatch: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Cancel payouts that are not sent yet */
  cancelPayoutBatch: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The masked name of the account that a payout would reach; asking is recorded */
  lookUpPayoutHolder: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly phoneNumber: string;
      readonly provider?: string;
      readonly country?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly status: "ACTIVE" | "NOT_ACTIVE" | "UNKNOWN" | "NOT_OFFERED";
        readonly name: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The masked name of the account that a payout of a waiting batch would reach; asking is recorded */
  lookUpBatchHolder: {
    parameters: {
      path: {
        merchantId: string;
        batchId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly row: number;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly status: "ACTIVE" | "NOT_ACTIVE" | "UNKNOWN" | "NOT_OFFERED";
        readonly name: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List the daily limits for payouts without a second approver */
  listPayoutLimits: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly limits: readonly {
          readonly currency: string;
          readonly own: string | null;
          readonly amount: string;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Lower a limit, or request a higher one */
  changePayoutLimit: {
    parameters: {
      path: {
        merchantId: string;
        /** The currency, an ISO 4217 code in upper case. The provider must support it. */
        currency: string;
      };
    };
    requestBody: { content: { 'application/json': {
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The names of all providers, and the countries they are in */
  readCatalogue: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly providers: readonly {
          readonly provider: string;
          /** Without the country: Airtel. */
          readonly name: string;
          /** ISO 3166-1 alpha-3. */
          readonly country: string;
          readonly currencies: readonly string[];
        }[];
        readonly countries: readonly {
          /** ISO 3166-1 alpha-3. */
          readonly country: string;
          /** ISO 3166-1 alpha-2, by which a browser names it in its language. */
          readonly region: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** A merchant's payments, the newest first: found by anything that names one, narrowed by what they are */
  listPayments: {
    parameters: {
      path: {
        merchantId: string;
      };
      query?: {
        /** An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata. */
        search?: string;
        kinds?: string;
        states?: string;
        providers?: string;
        from?: string;
        to?: string;
        amountMin?: string;
        amountMax?: string;
        /** Instead of `search`: an identifier or its first eight characters or more, and nothing else is looked through. */
        identifier?: string;
        /** As the page before told it. */
        cursor?: string;
        /** 1 to 100; default: 50. */
        limit?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly payments: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly state: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly amount: string;
          readonly fee: string;
          readonly currency: string;
          readonly country: string;
          readonly provider: string;
          /** The last three digits, unless it was asked for. */
          readonly phoneNumber: string;
          readonly clientReferenceId: string | null;
          readonly providerTransactionId: string | null;
          readonly failureCode: string | null;
          readonly createdAt: string;
          readonly finalAt: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** How many payments a filter finds, and their sums by kind and currency */
  totalPayments: {
    parameters: {
      path: {
        merchantId: string;
      };
      query?: {
        /** An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata. */
        search?: string;
        kinds?: string;
        states?: string;
        providers?: string;
        from?: string;
        to?: string;
        amountMin?: string;
        amountMax?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** More payments than this are not added up. */
        readonly countMax: number;
        /** Null where there are more. */
        readonly totals: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly count: number;
          readonly amount: string;
          readonly completedCount: number;
          readonly completedAmount: string;
          readonly completedFees: string;
        }[] | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The payments that a filter finds, as comma-separated values; who asks is recorded */
  exportPayments: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      /** An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata. */
      readonly search?: string;
      readonly kinds?: string;
      readonly states?: string;
      readonly providers?: string;
      readonly from?: string;
      readonly to?: string;
      readonly amountMin?: string;
      readonly amountMax?: string;
      /** With personal data: needs payments:reveal, and the password must have been confirmed. */
      readonly isRevealed: boolean;
    } } };
    responses: {
      200: { content: { 'text/csv': string } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The payments of all merchants, the newest first: found and narrowed like those of one */
  listAllPayments: {
    parameters: {
      query?: {
        /** An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata. */
        search?: string;
        kinds?: string;
        states?: string;
        providers?: string;
        from?: string;
        to?: string;
        amountMin?: string;
        amountMax?: string;
        /** Instead of `search`: an identifier or its first eight characters or more, and nothing else is looked through. */
        identifier?: string;
        /** As the page before told it. */
        cursor?: string;
        /** 1 to 100; default: 50. */
        limit?: string;
        merchantId?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly payments: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly state: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly amount: string;
          readonly fee: string;
          readonly currency: string;
          readonly country: string;
          readonly provider: string;
          /** The last three digits, unless it was asked for. */
          readonly phoneNumber: string;
          readonly clientReferenceId: string | null;
          readonly providerTransactionId: string | null;
          readonly failureCode: string | null;
          readonly createdAt: string;
          readonly finalAt: string | null;
          readonly merchantId: string;
          readonly merchant: string;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** How many payments of all merchants a filter finds, and their sums by kind and currency */
  totalAllPayments: {
    parameters: {
      query?: {
        /** An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata. */
        search?: string;
        kinds?: string;
        states?: string;
        providers?: string;
        from?: string;
        to?: string;
        amountMin?: string;
        amountMax?: string;
        merchantId?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        /** More payments than this are not added up. */
        readonly countMax: number;
        /** Null where there are more. */
        readonly totals: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly count: number;
          readonly amount: string;
          readonly completedCount: number;
          readonly completedAmount: string;
          readonly completedFees: string;
        }[] | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The payments of all merchants that a filter finds, as comma-separated values; who asks is recorded */
  exportAllPayments: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      /** An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata. */
      readonly search?: string;
      readonly kinds?: string;
      readonly states?: string;
      readonly providers?: string;
      readonly from?: string;
      readonly to?: string;
      readonly amountMin?: string;
      readonly amountMax?: string;
      readonly merchantId?: string;
      /** With personal data: needs payments:reveal, and the password must have been confirmed. */
      readonly isRevealed: boolean;
    } } };
    responses: {
      200: { content: { 'text/csv': string } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The providers that are active for a merchant */
  listUsedProviders: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly providers: readonly {
          readonly provider: string;
          readonly name: string;
          readonly country: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** One payment with all that happened to it; personal data is hidden */
  readPayment: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        paymentId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        readonly paymentId: string;
        readonly state: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
        readonly amount: string;
        readonly fee: string;
        readonly currency: string;
        readonly country: string;
        readonly provider: string;
        /** The last three digits, unless it was asked for. */
        readonly phoneNumber: string;
        readonly clientReferenceId: string | null;
        readonly providerTransactionId: string | null;
        readonly failureCode: string | null;
        readonly createdAt: string;
        readonly finalAt: string | null;
        readonly isRevealed: boolean;
        readonly customerMessage: string;
        readonly metadata: readonly {
          readonly name: string;
          readonly value: string;
          readonly isPersonal: boolean;
        }[];
        readonly recipient: {
          readonly firstName: string;
          readonly lastName: string;
        } | null;
        readonly sender: readonly {
          readonly name: string;
          readonly value: string;
        }[];
        readonly depositId: string | null;
        readonly splitPaymentId: string | null;
        readonly checkoutId: string | null;
        readonly reference: string | null;
        readonly providerReference: string | null;
        readonly nextActionAt: string | null;
        /** What can be given back now; 0 where nothing can. */
        readonly refundable: string;
        readonly isCancellable: boolean;
        readonly isResendable: boolean;
        readonly events: readonly {
          readonly eventNo: number;
          readonly at: string;
          readonly event: string;
          readonly fromState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED" | null;
          readonly toState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly detail: string | null;
          readonly evidence: string | null;
        }[];
        /** Requests to the operator, and its responses. For the platform's people only; else empty. */
        readonly traffic: readonly {
          readonly at: string;
          readonly step: string;
          readonly httpStatus: number | null;
          readonly error: string | null;
          readonly durationMs: number;
          readonly request: string;
          readonly answer: string;
        }[];
        readonly transfers: readonly {
          readonly legNo: number;
          readonly template: string;
          readonly debit: {
            readonly type: string;
            readonly provider: string;
          };
          readonly credit: {
            readonly type: string;
            readonly provider: string;
          };
          readonly amount: string;
          readonly currency: string;
          readonly state: "PENDING" | "POSTED" | "VOIDED";
          readonly createdAt: string;
          readonly settledAt: string | null;
        }[];
        readonly callbacks: readonly {
          readonly callbackId: string;
          readonly announcedState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly status: string;
          readonly createdAt: string;
          readonly dueAt: string | null;
          readonly body: string | null;
          readonly attempts: readonly {
            readonly attemptNo: number;
            readonly startedAt: string;
            readonly durationMs: number;
            readonly httpStatus: number | null;
            readonly errorCode: string | null;
            readonly answer: string | null;
          }[];
        }[];
        readonly cases: readonly {
          readonly caseId: string;
          readonly evidence: string;
          readonly openedAt: string;
          readonly resolvedAt: string | null;
        }[];
        readonly related: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly state: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly amount: string;
          readonly createdAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** One payment with personal data; who asks is recorded */
  revealPayment: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        paymentId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        readonly paymentId: string;
        readonly state: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
        readonly amount: string;
        readonly fee: string;
        readonly currency: string;
        readonly country: string;
        readonly provider: string;
        /** The last three digits, unless it was asked for. */
        readonly phoneNumber: string;
        readonly clientReferenceId: string | null;
        readonly providerTransactionId: string | null;
        readonly failureCode: string | null;
        readonly createdAt: string;
        readonly finalAt: string | null;
        readonly isRevealed: boolean;
        readonly customerMessage: string;
        readonly metadata: readonly {
          readonly name: string;
          readonly value: string;
          readonly isPersonal: boolean;
        }[];
        readonly recipient: {
          readonly firstName: string;
          readonly lastName: string;
        } | null;
        readonly sender: readonly {
          readonly name: string;
          readonly value: string;
        }[];
        readonly depositId: string | null;
        readonly splitPaymentId: string | null;
        readonly checkoutId: string | null;
        readonly reference: string | null;
        readonly providerReference: string | null;
        readonly nextActionAt: string | null;
        /** What can be given back now; 0 where nothing can. */
        readonly refundable: string;
        readonly isCancellable: boolean;
        readonly isResendable: boolean;
        readonly events: readonly {
          readonly eventNo: number;
          readonly at: string;
          readonly event: string;
          readonly fromState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED" | null;
          readonly toState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly detail: string | null;
          readonly evidence: string | null;
        }[];
        /** Requests to the operator, and its responses. For the platform's people only; else empty. */
        readonly traffic: readonly {
          readonly at: string;
          readonly step: string;
          readonly httpStatus: number | null;
          readonly error: string | null;
          readonly durationMs: number;
          readonly request: string;
          readonly answer: string;
        }[];
        readonly transfers: readonly {
          readonly legNo: number;
          readonly template: string;
          readonly debit: {
            readonly type: string;
            readonly provider: string;
          };
          readonly credit: {
            readonly type: string;
            readonly provider: string;
          };
          readonly amount: string;
          readonly currency: string;
          readonly state: "PENDING" | "POSTED" | "VOIDED";
          readonly createdAt: string;
          readonly settledAt: string | null;
        }[];
        readonly callbacks: readonly {
          readonly callbackId: string;
          readonly announcedState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly status: string;
          readonly createdAt: string;
          readonly dueAt: string | null;
          readonly body: string | null;
          readonly attempts: readonly {
            readonly attemptNo: number;
            readonly startedAt: string;
            readonly durationMs: number;
            readonly httpStatus: number | null;
            readonly errorCode: string | null;
            readonly answer: string | null;
          }[];
        }[];
        readonly cases: readonly {
          readonly caseId: string;
          readonly evidence: string;
          readonly openedAt: string;
          readonly resolvedAt: string | null;
        }[];
        readonly related: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly state: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          readonly amount: string;
          readonly createdAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Refund a deposit, fully or in part */
  refundPayment: {
    parameters: {
      path: {
        merchantId: string;
        paymentId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      /** Yours to choose: pressing twice gives back once. */
      readonly refundId: string;
      readonly amount: string | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly refundId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Cancel a payment that waits for its provider */
  cancelPayment: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        paymentId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Resend the callback of a final payment */
  resendCallback: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        paymentId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Resend the callbacks of payments that became final in a period */
  replayCallbacks: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly kinds: readonly ("DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT")[];
      readonly statuses: readonly ("DELIVERED" | "ABANDONED" | "MISSING")[];
      readonly from: string;
      readonly to: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly count: number;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Payment links, the newest first */
  listPaymentLinks: {
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
          readonly linkId: string;
          readonly url: string;
          readonly amount: string;
          readonly currency: string;
          readonly description: string;
          readonly status: "ACTIVE" | "EXPIRED" | "DEACTIVATED";
          readonly createdAt: string;
          readonly expiresAt: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Create a payment link */
  createPaymentLink: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      /** The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. The active configuration has the decimals, minimum and maximum of the provider. Status checks and callbacks repeat it as you wrote it. */
      readonly amount: string;
      /** The currency, an ISO 4217 code in upper case. The provider must support it. */
      readonly currency: string;
      readonly description: string;
      readonly expiresAfterDays: number | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly linkId: string;
        readonly url: string;
        readonly amount: string;
        readonly currency: string;
        readonly description: string;
        readonly status: "ACTIVE" | "EXPIRED" | "DEACTIVATED";
        readonly createdAt: string;
        readonly expiresAt: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Deactivate a payment link: no one can pay with it any more */
  deactivatePaymentLink: {
    parameters: {
      path: {
        merchantId: string;
        linkId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Deliveries of callbacks, the newest first */
  listDeliveries: {
    parameters: {
      path: {
        merchantId: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
        kind?: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT" | "STATEMENT";
        /** QUEUED: not attempted yet. RETRYING: attempted, and attempted again. FAILED: given up. */
        status?: "QUEUED" | "RETRYING" | "DELIVERED" | "FAILED";
        from?: string;
        to?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly callbackId: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT" | "STATEMENT";
          readonly paymentId: string;
          readonly announcedState: "ACCEPTED" | "ENQUEUED" | "PROCESSING" | "IN_RECONCILIATION" | "COMPLETED" | "FAILED";
          /** QUEUED: not attempted yet. RETRYING: attempted, and attempted again. FAILED: given up. */
          readonly status: "QUEUED" | "RETRYING" | "DELIVERED" | "FAILED";
          readonly host: string | null;
          readonly attemptCount: number;
          readonly createdAt: string;
          readonly nextAttemptAt: string | null;
          readonly lastAttempt: {
            readonly startedAt: string;
            readonly durationMs: number;
            readonly httpStatus: number | null;
            readonly errorCode: string | null;
          } | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Every attempt of one delivery */
  readDelivery: {
    parameters: {
      path: {
        merchantId: string;
        callbackId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly attempts: readonly {
          readonly attemptNo: number;
          readonly startedAt: string;
          readonly durationMs: number;
          readonly httpStatus: number | null;
          readonly errorCode: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List callback URLs and their status */
  readCallbackAddresses: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly endpoints: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT";
          readonly url: string;
          readonly state: "WORKING" | "FAILING" | "SWITCHED_OFF";
          readonly because: string | null;
          readonly failureCount: number;
          readonly since: string | null;
          readonly waiting: number;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set callback URLs */
  setCallbackAddress: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly kinds: readonly ("DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT")[];
      readonly url: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Enable a disabled callback URL */
  enableCallbackAddress: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT";
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Send a signed test callback, and show the answer */
  testCallbackAddress: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT" | "CHECKOUT";
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly isAcknowledged: boolean;
        readonly httpStatus: number | null;
        readonly error: string | null;
        readonly durationMs: number;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List API tokens and available scopes */
  readTokens: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly scopes: readonly string[];
        readonly tokens: readonly {
          readonly tokenId: string;
          readonly name: string;
          readonly scopes: readonly string[];
          readonly state: "ACTIVE" | "EXPIRED" | "REVOKED";
          readonly createdAt: string;
          readonly expiresAt: string | null;
          readonly lastUsedAt: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Create an API token, shown once; one that can send money needs a second approver */
  createToken: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly name: string;
      readonly scopes: readonly string[];
      readonly expiresAt: string | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly tokenId: string;
        readonly text: string;
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Revoke an API token within ten seconds */
  revokeToken: {
    parameters: {
      path: {
        merchantId: string;
        tokenId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Public keys, and whether requests must be signed */
  readKeys: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly signedRequestsOnly: boolean;
        readonly signedPagesOnly: boolean;
        readonly algorithms: readonly string[];
        readonly keys: readonly {
          readonly name: string;
          readonly algorithm: string;
          readonly fingerprint: string;
          readonly createdAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Register a public key; needs a second approver */
  addKey: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly name: string;
      readonly algorithm: "ecdsa-p256-sha256" | "ecdsa-p384-sha384" | "rsa-v1_5-sha256" | "rsa-pss-sha512";
      readonly pem: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly fingerprint: string;
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Remove a public key within ten seconds */
  removeKey: {
    parameters: {
      path: {
        merchantId: string;
        name: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Require signed requests for payments; to stop, a second approver is needed */
  requireSignatures: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly isRequired: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Require signed requests for payment pages and checkouts; to stop, a second approver is needed */
  requirePageSignatures: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly isRequired: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The colour and the logo of payment pages and checkouts */
  readPageBrand: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly colour: string | null;
        readonly logo: {
          readonly type: "image/svg+xml" | "image/png";
          readonly base64: string;
        } | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set the colour and the logo of payment pages and checkouts; takes effect within ten seconds */
  setPageBrand: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly colour: string | null;
      readonly logo: {
        readonly base64: string;
      } | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set the time zone of days and the currency that the overview opens with */
  setRegionalSettings: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly timeZone: string;
      readonly homeCurrency: string | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List manual actions, the newest first */
  listAudit: {
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
          readonly entryId: string;
          readonly at: string;
          readonly actor: string;
          readonly act: string;
          readonly subject: string;
          readonly detail: readonly {
            readonly name: string;
            readonly value: string;
          }[];
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Open problems, the most urgent first; none while all systems are operational */
  listProblems: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly now: string;
        readonly problems: readonly {
          readonly code: "WALLETS_UNBALANCED" | "CURRENCIES_UNBALANCED" | "WALLETS_OVERDRAWN" | "FOLLOW_UP_MISSING" | "PAYMENTS_ORPHANED" | "MEASUREMENT_MISSING" | "PAYMENTS_OVERDUE" | "CALLBACKS_OVERDUE" | "PAYOUT_SPIKE" | "PROVIDER_CLOSED" | "FLOAT_LOW" | "PROVIDER_DELAYED" | "PAYMENT_UNRESOLVED" | "REVERSALS_UNHELD" | "REPORT_UNREQUESTED" | "CASE_OPEN" | "ENDPOINT_DISABLED" | "ENDPOINT_FAILING" | "ENDPOINTS_NOT_EMPTIED" | "PAYMENTS_QUEUED" | "PAYMENTS_HELD" | "DAY_NOT_CLOSED" | "FLOAT_UNKNOWN" | "EVENT_FEED_LATE" | "SUSPENSE_OLD" | "SECRET_EXPIRES" | "TRANSACTIONS_UNCOMPARED" | "BALANCES_IN_TRANSIT" | "RECOVERY_OPEN" | "AUDIT_UNCHAINED";
          readonly severity: "CRITICAL" | "WARNING";
          readonly since: string | null;
          readonly parameters: { readonly [name: string]: string };
          readonly fixedAt: "LEDGER" | "FLOATS" | "HEALTH" | "PROVIDERS" | "UNRESOLVED_PAYMENTS" | "OVERDUE_TASKS" | "FAILING_ENDPOINTS" | "CALLBACK_ENDPOINTS" | "CASES" | "APPROVALS" | "MERCHANT" | "HOLDS" | "DAILY_CLOSE";
        }[];
        readonly omitted: readonly {
          readonly code: "WALLETS_UNBALANCED" | "CURRENCIES_UNBALANCED" | "WALLETS_OVERDRAWN" | "FOLLOW_UP_MISSING" | "PAYMENTS_ORPHANED" | "MEASUREMENT_MISSING" | "PAYMENTS_OVERDUE" | "CALLBACKS_OVERDUE" | "PAYOUT_SPIKE" | "PROVIDER_CLOSED" | "FLOAT_LOW" | "PROVIDER_DELAYED" | "PAYMENT_UNRESOLVED" | "REVERSALS_UNHELD" | "REPORT_UNREQUESTED" | "CASE_OPEN" | "ENDPOINT_DISABLED" | "ENDPOINT_FAILING" | "ENDPOINTS_NOT_EMPTIED" | "PAYMENTS_QUEUED" | "PAYMENTS_HELD" | "DAY_NOT_CLOSED" | "FLOAT_UNKNOWN" | "EVENT_FEED_LATE" | "SUSPENSE_OLD" | "SECRET_EXPIRES" | "TRANSACTIONS_UNCOMPARED" | "BALANCES_IN_TRANSIT" | "RECOVERY_OPEN" | "AUDIT_UNCHAINED";
          readonly count: number;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Volume, success, time to final and fees of all merchants, beside the days before */
  readPlatformOverview: {
    parameters: {
      query: {
        from: string;
        to: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly now: string;
        readonly from: string;
        readonly until: string;
        readonly totals: readonly {
          readonly currency: string;
          readonly current: {
            readonly completed: number;
            readonly failed: number;
            readonly completedAmount: string;
            readonly fees: string;
            readonly p50Seconds: number | null;
            readonly p90Seconds: number | null;
          };
          readonly previous: {
            readonly completed: number;
            readonly failed: number;
            readonly completedAmount: string;
            readonly fees: string;
            readonly p50Seconds: number | null;
            readonly p90Seconds: number | null;
          };
        }[];
        readonly providers: readonly {
          readonly provider: string;
          readonly currency: string;
          readonly current: {
            readonly completed: number;
            readonly failed: number;
            readonly completedAmount: string;
            readonly fees: string;
            readonly p50Seconds: number | null;
            readonly p90Seconds: number | null;
          };
          readonly previous: {
            readonly completed: number;
            readonly failed: number;
            readonly completedAmount: string;
            readonly fees: string;
            readonly p50Seconds: number | null;
            readonly p90Seconds: number | null;
          };
        }[];
        readonly merchants: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly currency: string;
          readonly current: {
            readonly completed: number;
            readonly failed: number;
            readonly completedAmount: string;
            readonly fees: string;
            readonly p50Seconds: number | null;
            readonly p90Seconds: number | null;
          };
          readonly previous: {
            readonly completed: number;
            readonly failed: number;
            readonly completedAmount: string;
            readonly fees: string;
            readonly p50Seconds: number | null;
            readonly p90Seconds: number | null;
          };
        }[];
        readonly days: readonly {
          readonly at: string;
          readonly currency: string;
          readonly completed: number;
          readonly failed: number;
          readonly completedAmount: string;
          readonly fees: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Merchants by name */
  listMerchants: {
    parameters: {
      query?: {
        name?: string;
        after?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly merchants: readonly {
          readonly merchantId: string;
          readonly name: string;
          readonly operations: readonly string[];
          readonly isSuspended: boolean;
          readonly createdAt: string;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Add a merchant, and invite its owner */
  createMerchant: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly name: string;
      readonly operations: readonly ("DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT")[];
      readonly walletPerProvider: boolean;
      readonly ownerEmail: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly merchantId: string;
        readonly link: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Show the settings of a merchant */
  readMerchant: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly merchantId: string;
        readonly name: string;
        readonly home: string;
        readonly isSuspended: boolean;
        readonly operations: readonly string[];
        readonly walletPerProvider: boolean;
        readonly signedRequestsOnly: boolean;
        readonly timeZone: string;
        readonly homeCurrency: string | null;
        readonly providers: readonly {
          readonly provider: string;
          readonly operations: readonly string[];
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Suspend a merchant's payments and tokens, or request that they are resumed */
  suspendMerchant: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly isSuspended: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Cancel the payments of a merchant that were not sent to an operator */
  cancelUnsentPayments: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly cancelledCount: number;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set the operations of a merchant */
  changeOperations: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly operations: readonly ("DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE" | "SPLIT_PAYMENT")[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Activate or deactivate providers for a merchant */
  switchProviders: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly providers: readonly string[];
      readonly operations: readonly ("DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE")[];
      readonly to: "ON" | "OFF";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List providers with connector, availability and error rates */
  listProviders: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly providers: readonly {
          readonly provider: string;
          readonly name: string;
          readonly country: string;
          readonly operations: readonly {
            readonly operation: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
            readonly connector: string | null;
            readonly status: "OPERATIONAL" | "DELAYED" | "CLOSED";
            readonly setBy: "HAND" | "MEASURED" | null;
            readonly since: string | null;
            readonly calls: number;
            readonly failures: number;
          }[];
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The latest changes of availability, the newest first */
  listIncidents: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly changes: readonly {
          readonly provider: string;
          readonly operation: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly from: "OPERATIONAL" | "DELAYED" | "CLOSED";
          readonly to: "OPERATIONAL" | "DELAYED" | "CLOSED";
          readonly setBy: "HAND" | "MEASURED";
          readonly reason: {
            readonly code: "SET_MANUALLY" | "CALLS_FAILED" | "NO_ANSWER" | "NO_CALLS" | "RECOVERED";
            readonly parameters: { readonly [name: string]: string };
          };
          readonly changedAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set availability manually; OPERATIONAL returns it to measurement */
  setAvailability: {
    parameters: {
      path: {
        provider: string;
        operation: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      };
    };
    requestBody: { content: { 'application/json': {
      readonly status: "OPERATIONAL" | "DELAYED" | "CLOSED";
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Payments IN_RECONCILIATION, the oldest first */
  listUnclearPayments: {
    parameters: {
      query?: {
        limit?: string;
        cursor?: string;
        provider?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly provider: string;
          readonly amount: string;
          readonly currency: string;
          readonly createdAt: string;
          readonly nextEnquiryAt: string | null;
          readonly reference: string | null;
          readonly lastSaid: string | null;
          readonly openCases: readonly string[];
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The operator's responses about a payment, word by word; access is recorded */
  readEvidence: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        paymentId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly state: string;
        readonly reference: string | null;
        readonly events: readonly {
          readonly eventNo: number;
          readonly at: string;
          readonly event: string;
          readonly fromState: string | null;
          readonly toState: string;
          readonly detail: string | null;
          readonly evidence: string | null;
        }[];
        readonly reportLines: readonly {
          readonly lineNo: number;
          readonly finding: string;
          readonly text: string;
        }[];
        readonly cases: readonly {
          readonly caseId: string;
          readonly evidence: string;
          readonly openedAt: string;
          readonly statement: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request to end a payment in reconciliation; the operator is asked again, and a second approver agrees */
  endPayment: {
    parameters: {
      path: {
        merchantId: string;
        kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
        paymentId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly outcome: "COMPLETED" | "FAILED";
      readonly providerTransactionId?: string;
      readonly failureCode?: "PAYMENT_NOT_APPROVED" | "INSUFFICIENT_BALANCE" | "PAYMENT_IN_PROGRESS" | "PAYER_NOT_FOUND" | "PAYER_LIMIT_REACHED" | "RECIPIENT_NOT_FOUND" | "RECIPIENT_LIMIT_REACHED" | "WALLET_LIMIT_REACHED" | "MANUALLY_CANCELLED" | "UNSPECIFIED_FAILURE" | "OTHER_ERROR";
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly by: "PERSON" | "OPERATOR";
        readonly state: string;
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Open cases, the oldest first, or resolved ones, the newest first */
  listCases: {
    parameters: {
      query: {
        limit?: string;
        cursor?: string;
        status: "OPEN" | "RESOLVED";
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly caseId: string;
          readonly merchantId: string;
          readonly merchant: string;
          readonly evidence: string;
          readonly providerTransactionId: string | null;
          readonly openedAt: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly payment: {
            readonly state: string;
            readonly amount: string;
            readonly currency: string;
            readonly provider: string;
          };
          readonly allowed: readonly ("CREDIT_MERCHANT" | "RETURN_TO_PAYER" | "RECOVER_FROM_MERCHANT" | "WRITE_OFF" | "REVERSE_EVIDENCE")[];
          readonly needsAmount: boolean;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
          readonly resolvedAt: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The operator's response, word by word; access is recorded */
  readCaseStatement: {
    parameters: {
      path: {
        caseId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly statement: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request to resolve a case; another person approves */
  requestResolution: {
    parameters: {
      path: {
        caseId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly resolution: "CREDIT_MERCHANT" | "RETURN_TO_PAYER" | "RECOVER_FROM_MERCHANT" | "WRITE_OFF" | "REVERSE_EVIDENCE";
      readonly amount?: string;
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Payments whose next step is past its time, the latest first */
  listLatePayments: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly state: string;
          readonly provider: string;
          readonly amount: string;
          readonly currency: string;
          readonly createdAt: string;
          readonly nextAction: string;
          readonly dueAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Callback endpoints that fail, are paused or were switched off */
  listFailingEndpoints: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly kind: string;
          readonly host: string;
          readonly failureCount: number;
          readonly failingSince: string | null;
          readonly pausedUntil: string | null;
          readonly disabledAt: string | null;
          readonly disabledBecause: string | null;
          readonly waitingSince: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Authentic messages about references that are not ours, the oldest first */
  listUnmatchedNotifications: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly notificationId: string;
          readonly connector: string;
          readonly receivedAt: string;
          readonly reference: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Dismiss such a message */
  dismissNotification: {
    parameters: {
      path: {
        notificationId: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Payments that a restore lost: those that nobody has sent again or decided, and decisions */
  listLostPayments: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly provider: string;
          readonly reference: string;
          readonly direction: "IN" | "OUT";
          readonly amount: string;
          readonly currency: string;
          readonly occurredAt: string;
          readonly isStanding: boolean;
          readonly isRequested: boolean;
        }[];
        readonly decided: readonly {
          readonly provider: string;
          readonly reference: string;
          readonly direction: "IN" | "OUT";
          readonly amount: string;
          readonly currency: string;
          readonly occurredAt: string;
          readonly bearer: "MERCHANT" | "PLATFORM" | "OTHER_CELL";
          readonly bearerMerchantId: string | null;
          readonly bearerMerchant: string | null;
          readonly cell: string;
          readonly decidedAt: string;
          readonly postedBackAt: string | null;
          readonly merchantId: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Say whose the money of such a payment is; another person approves */
  decideLostPayment: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly provider: string;
      readonly reference: string;
      readonly direction: "IN" | "OUT";
      readonly bearer: "MERCHANT" | "PLATFORM" | "OTHER_CELL";
      readonly merchantId?: string;
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The accounts of the platform, or those of a merchant, with what they hold */
  listAccounts: {
    parameters: {
      query?: {
        merchantId?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly accountId: string;
          readonly type: string;
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly country: string;
          readonly currency: string;
          readonly provider: string | null;
          readonly balance: string;
          readonly held: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** What moved on an account, the newest first */
  listAccountMovements: {
    parameters: {
      path: {
        accountId: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly account: {
          readonly accountId: string;
          readonly type: string;
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly country: string;
          readonly currency: string;
          readonly provider: string | null;
          readonly balance: string;
          readonly held: string | null;
        };
        readonly rows: readonly {
          readonly merchantId: string;
          readonly kind: string;
          readonly subjectId: string;
          readonly legNo: number;
          readonly template: string;
          readonly state: "PENDING" | "POSTED" | "VOIDED";
          readonly amount: string;
          readonly debit: {
            readonly accountId: string;
            readonly type: string;
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly country: string;
            readonly currency: string;
            readonly provider: string | null;
          };
          readonly credit: {
            readonly accountId: string;
            readonly type: string;
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly country: string;
            readonly currency: string;
            readonly provider: string | null;
          };
          readonly createdAt: string;
          readonly settledAt: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Everything that was moved for a payment, a top-up, a settlement or an adjustment */
  readTransfers: {
    parameters: {
      path: {
        merchantId: string;
        kind: string;
        subjectId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly merchantId: string;
          readonly kind: string;
          readonly subjectId: string;
          readonly legNo: number;
          readonly template: string;
          readonly state: "PENDING" | "POSTED" | "VOIDED";
          readonly amount: string;
          readonly debit: {
            readonly accountId: string;
            readonly type: string;
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly country: string;
            readonly currency: string;
            readonly provider: string | null;
          };
          readonly credit: {
            readonly accountId: string;
            readonly type: string;
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly country: string;
            readonly currency: string;
            readonly provider: string | null;
          };
          readonly createdAt: string;
          readonly settledAt: string | null;
        }[];
        readonly payment: {
          readonly state: string;
          readonly amount: string;
          readonly fee: string;
          readonly currency: string;
          readonly country: string;
          readonly provider: string;
          readonly createdAt: string;
          readonly finalAt: string | null;
        } | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** What every kind of account comes to, and each currency, which must be zero */
  readTrialBalance: {
    parameters: {
      query?: {
        again?: "true";
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly asOf: string;
        readonly rows: readonly {
          readonly type: string;
          readonly country: string;
          readonly currency: string;
          readonly provider: string | null;
          readonly balance: string;
        }[];
        readonly totals: readonly {
          readonly currency: string;
          readonly total: string;
        }[];
        readonly unbalancedWallets: number;
        readonly isSound: boolean;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List balances at operators: theirs and ours */
  readFloats: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly asOf: string | null;
        readonly rows: readonly {
          readonly provider: string;
          readonly currency: string;
          readonly operator: string | null;
          readonly books: string | null;
          readonly difference: string | null;
          readonly unexplained: string | null;
          readonly min: string | null;
          readonly isBelowMin: boolean;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The wallets of a merchant that money can be moved into, whether or not they are there yet */
  listWalletPlaces: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly country: string;
          readonly currency: string;
          readonly walletProvider: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that money is moved manually; another person approves */
  requestMoney: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly merchantId: string;
      readonly type: "TOP_UP" | "SETTLEMENT" | "ADJUSTMENT";
      readonly country: string;
      readonly currency: string;
      readonly walletProvider?: string;
      readonly amount: string;
      readonly reference?: string;
      readonly reason: string;
      readonly requestId?: string;
      readonly bankHasPaid?: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that money between bank and operator, or a charge of the operator, is posted */
  requestFloatMovement: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly type: "FLOAT_TOP_UP" | "FLOAT_WITHDRAWAL" | "OPERATOR_CHARGE";
      readonly provider: string;
      readonly currency: string;
      readonly amount: string;
      readonly reference: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Operator accounts whose days are closed here, each with its next day */
  listCloseAccounts: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly provider: string;
          readonly currency: string;
          readonly timeZone: string;
          readonly firstDay: string;
          readonly lastDay: string | null;
          readonly nextDay: string;
          readonly dueAt: string;
          readonly isLate: boolean;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The days of an account, the newest first */
  listCloseDays: {
    parameters: {
      path: {
        provider: string;
        currency: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly day: string;
          readonly status: "OPEN" | "REQUESTED" | "CLOSED";
          readonly dueAt: string;
          readonly isLate: boolean;
          readonly unexplained: string | null;
          readonly differenceCount: number | null;
          readonly closedAt: string | null;
        }[];
        readonly next: string | null;
        readonly account: {
          readonly provider: string;
          readonly currency: string;
          readonly timeZone: string;
          readonly firstDay: string;
          readonly lastDay: string | null;
          readonly nextDay: string;
          readonly dueAt: string;
          readonly isLate: boolean;
        };
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Begin with another day while none is signed; another person approves */
  setFirstDay: {
    parameters: {
      path: {
        provider: string;
        currency: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly firstDay: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** A day: balances, movements, lines, differences, and what keeps it open */
  readClose: {
    parameters: {
      path: {
        provider: string;
        currency: string;
        day: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly provider: string;
        readonly currency: string;
        readonly timeZone: string;
        readonly firstDay: string;
        readonly lastDay: string | null;
        readonly nextDay: string;
        readonly dueAt: string;
        readonly isLate: boolean;
        readonly day: string;
        readonly from: string;
        readonly to: string;
        readonly status: "OPEN" | "REQUESTED" | "CLOSED";
        readonly figures: {
          readonly opening: string;
          readonly received: string;
          readonly sent: string;
          readonly closing: string;
          readonly reportReceived: string;
          readonly reportSent: string;
          readonly broughtForward: string;
          readonly carriedForward: string;
          readonly unexplained: string;
          readonly bankReceived: string;
          readonly bankSent: string;
          readonly bankUnexplained: string;
          readonly movementCount: number;
          readonly lineCount: number;
          readonly bankLineCount: number;
          readonly unreadableLineCount: number;
        };
        readonly differences: readonly {
          readonly kind: "MISSING_LINE" | "NOT_IN_BOOKS" | "DOUBLED_LINE" | "OTHER_AMOUNT" | "CHARGE" | "LATE" | "BANK_MISSING_LINE" | "BANK_NOT_IN_BOOKS" | "OPENING" | "REST";
          readonly amount: string;
          readonly sinceDay: string;
          readonly otherDay: string | null;
          readonly payment: {
            readonly merchantId: string;
            readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
            readonly paymentId: string;
          } | null;
          readonly reference: string | null;
          readonly transactionId: string | null;
        }[];
        readonly differenceCount: number;
        readonly needsNote: boolean;
        readonly obstacles: readonly ("DAY_NOT_OVER" | "BEFORE_FIRST_DAY" | "PREVIOUS_DAY_OPEN" | "CELL_SILENT" | "REPORT_MISSING" | "OPENING_DIFFERS" | "TOO_MANY_DIFFERENCES")[];
        readonly passableObstacles: readonly ("OPENING_DIFFERS" | "TOO_MANY_DIFFERENCES")[];
        readonly comparableAt: string | null;
        readonly firstOpenDay: string | null;
        readonly missingCells: readonly string[];
        readonly gaps: readonly {
          readonly from: string;
          readonly to: string;
        }[];
        readonly openingChange: string | null;
        readonly differencesByFile: readonly {
          readonly source: "OPERATOR" | "BANK";
          readonly fileHash: string;
          readonly fileName: string | null;
          readonly differenceCount: number;
        }[];
        readonly reopened: readonly {
          readonly contentHash: string;
          readonly closedAt: string;
          readonly reopenedAt: string;
          readonly requestedBy: string;
          readonly approvedBy: string;
          readonly reason: string;
          readonly note: string | null;
          readonly unexplained: string;
          readonly differenceCount: number;
        }[];
        readonly reopening: {
          readonly approvalId: string;
          readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly subject: string;
          readonly details: { readonly [name: string]: string };
          readonly hash: string;
          readonly effect: {
            readonly currency: string;
            readonly postings: readonly {
              readonly debit: string;
              readonly credit: string;
              readonly amount: string;
            }[];
            readonly available: string;
            readonly owed: string;
          } | null;
          readonly reason: string | null;
          readonly isPlatform: boolean;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly isOwn: boolean;
          readonly mayDecide: boolean;
          readonly rejectionSaysWhy: boolean;
          readonly approvalsNeeded: number;
          readonly confirmedBy: string | null;
          readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
          readonly decision: {
            readonly by: string;
            readonly at: string;
            readonly reason: string | null;
          } | null;
        } | null;
        readonly isLastSigned: boolean;
        readonly files: readonly {
          readonly fileId: string;
          readonly source: "OPERATOR" | "BANK";
          readonly fileName: string | null;
          readonly fileHash: string;
          readonly importedAt: string;
          readonly faultCount: number;
          readonly voidedAt: string | null;
          readonly voidedBy: string | null;
        }[];
        readonly takenBack: readonly {
          readonly source: "OPERATOR" | "BANK";
          readonly fileName: string | null;
          readonly fileHash: string;
          readonly voidedAt: string;
          readonly voidedBy: string | null;
          readonly lineCount: number;
          readonly amount: string;
        }[];
        readonly isChanged: boolean;
        readonly cameSince: readonly {
          readonly source: "OPERATOR" | "BANK";
          readonly fileName: string | null;
          readonly fileHash: string;
          readonly importedAt: string;
          readonly faultCount: number;
          readonly lineCount: number;
          readonly amount: string;
        }[];
        readonly contentHash: string;
        readonly note: string | null;
        readonly approval: {
          readonly approvalId: string;
          readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly subject: string;
          readonly details: { readonly [name: string]: string };
          readonly hash: string;
          readonly effect: {
            readonly currency: string;
            readonly postings: readonly {
              readonly debit: string;
              readonly credit: string;
              readonly amount: string;
            }[];
            readonly available: string;
            readonly owed: string;
          } | null;
          readonly reason: string | null;
          readonly isPlatform: boolean;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly isOwn: boolean;
          readonly mayDecide: boolean;
          readonly rejectionSaysWhy: boolean;
          readonly approvalsNeeded: number;
          readonly confirmedBy: string | null;
          readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
          readonly decision: {
            readonly by: string;
            readonly at: string;
            readonly reason: string | null;
          } | null;
        } | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Sign a day as it was shown; another person approves */
  signClose: {
    parameters: {
      path: {
        provider: string;
        currency: string;
        day: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly contentHash: string;
      readonly note?: string;
      readonly despite?: readonly ("OPENING_DIFFERS" | "TOO_MANY_DIFFERENCES")[];
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Take back the signature of the last signed day; another person approves */
  reopenClose: {
    parameters: {
      path: {
        provider: string;
        currency: string;
        day: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Everything of a day as comma-separated values, for an auditor; who asks is recorded */
  exportClose: {
    parameters: {
      path: {
        provider: string;
        currency: string;
        day: string;
      };
    };
    responses: {
      200: { content: { 'text/csv': string } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** How the files of an account are read */
  listReportMappings: {
    parameters: {
      path: {
        provider: string;
        currency: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly source: "OPERATOR" | "BANK";
          readonly mapping: {
            readonly columns: {
              readonly time?: string;
              readonly amount?: string;
              readonly amountIn?: string;
              readonly amountOut?: string;
              readonly direction?: string;
              readonly status?: string;
              readonly currency?: string;
              readonly reference?: string;
              readonly transactionId?: string;
              readonly phoneNumber?: string;
              readonly movement?: string;
            };
            readonly timeForm: "ISO" | "DAY_FIRST" | "MONTH_FIRST" | "YEAR_FIRST";
            readonly decimalMark: "POINT" | "COMMA";
            readonly words: readonly {
              readonly column: "direction" | "status" | "movement";
              readonly word: string;
              readonly means: string;
            }[];
          };
          readonly setBy: string;
          readonly setAt: string;
          readonly authors: readonly string[];
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Say how the files of an account are read, or that they have our own columns; it is recorded */
  setReportMapping: {
    parameters: {
      path: {
        provider: string;
        currency: string;
        source: "OPERATOR" | "BANK";
      };
    };
    requestBody: { content: { 'application/json': {
      readonly mapping: {
        readonly columns: {
          readonly time?: string;
          readonly amount?: string;
          readonly amountIn?: string;
          readonly amountOut?: string;
          readonly direction?: string;
          readonly status?: string;
          readonly currency?: string;
          readonly reference?: string;
          readonly transactionId?: string;
          readonly phoneNumber?: string;
          readonly movement?: string;
        };
        readonly timeForm: "ISO" | "DAY_FIRST" | "MONTH_FIRST" | "YEAR_FIRST";
        readonly decimalMark: "POINT" | "COMMA";
        readonly words: readonly {
          readonly column: "direction" | "status" | "movement";
          readonly word: string;
          readonly means: string;
        }[];
      } | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The first lines of an operator's report that wait for its approval, of each effect, with our payments */
  listProposedLines: {
    parameters: {
      path: {
        reportId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly lineNo: number;
          readonly line: {
            readonly occurredAt: string;
            readonly direction: "IN" | "OUT";
            readonly status: "COMPLETED" | "FAILED";
            readonly amount: string;
            readonly currency: string;
            readonly reference: string | null;
            readonly transactionId: string | null;
          };
          readonly payment: {
            readonly merchantId: string;
            readonly merchant: string;
            readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
            readonly paymentId: string;
            readonly state: string;
            readonly amount: string;
            readonly currency: string;
            readonly provider: string;
          } | null;
          readonly effect: "END_COMPLETED" | "END_FAILED" | "CASE" | "REVERSAL" | "LOST_PAYMENT" | "FLOAT_TOP_UP" | "FLOAT_WITHDRAWAL" | "OPERATOR_CHARGE";
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Why an operator's report was refused: the first lines that differ, with our payments */
  readRefusedReport: {
    parameters: {
      path: {
        reportId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly status: "REFUSED" | "REQUESTED" | "ACCEPTED";
        readonly knownCount: number;
        readonly differingCount: number;
        readonly rows: readonly {
          readonly lineNo: number;
          readonly line: {
            readonly occurredAt: string;
            readonly direction: "IN" | "OUT";
            readonly status: "COMPLETED" | "FAILED";
            readonly amount: string;
            readonly currency: string;
            readonly reference: string | null;
            readonly transactionId: string | null;
          };
          readonly payment: {
            readonly merchantId: string;
            readonly merchant: string;
            readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
            readonly paymentId: string;
            readonly state: string;
            readonly amount: string;
            readonly currency: string;
            readonly provider: string;
          } | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Ask to import a refused report all the same; another person approves */
  acceptRefusedReport: {
    parameters: {
      path: {
        reportId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Ask to void an operator's report or a bank's file; another person approves */
  voidFile: {
    parameters: {
      path: {
        fileId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Files that were uploaded last, with their progress and the lines that could not be read */
  listReportUploads: {
    parameters: {
      path: {
        provider: string;
        currency: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly uploadId: string;
          readonly fileId: string | null;
          readonly source: "OPERATOR" | "BANK";
          readonly fileName: string;
          readonly fileHash: string;
          readonly status: "RUNNING" | "DONE" | "FAILED" | "REFUSED";
          readonly linesDone: number;
          readonly linesExpected: number;
          readonly faultCount: number;
          readonly faults: readonly {
            readonly line: number;
            readonly code: "TIME_INVALID" | "BANK_TIME_INVALID" | "DIRECTION_INVALID" | "STATUS_INVALID" | "AMOUNT_INVALID" | "CURRENCY_INVALID" | "NAMES_MISSING" | "NAMES_INVALID" | "PHONE_NUMBER_INVALID" | "FAILURE_CODE_INVALID" | "MOVEMENT_INVALID" | "MOVEMENT_STATUS" | "MOVEMENT_AMOUNT" | "MOVEMENT_TRANSACTION" | "REFERENCE_INVALID" | "CELL_COUNT" | "COLUMN_UNKNOWN" | "COLUMN_MISSING" | "COLUMN_REPEATED" | "NAME_COLUMN_MISSING" | "NOT_CSV" | "INTERRUPTED" | "FILES_BUSY";
            readonly column: string;
          }[];
          readonly uploadedBy: string;
          readonly startedAt: string;
          readonly voiding: "REQUESTED" | "RUNNING" | "VOIDED" | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Import an operator's report or a bank's file; answered when all of it was read */
  uploadReport: {
    parameters: {
      path: {
        provider: string;
        currency: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly source: "OPERATOR" | "BANK";
      readonly fileName: string;
      readonly file: string;
      readonly from?: string;
      readonly to?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly uploadId: string;
        readonly fileId: string | null;
        readonly source: "OPERATOR" | "BANK";
        readonly fileName: string;
        readonly fileHash: string;
        readonly status: "RUNNING" | "DONE" | "FAILED" | "REFUSED";
        readonly linesDone: number;
        readonly linesExpected: number;
        readonly faultCount: number;
        readonly faults: readonly {
          readonly line: number;
          readonly code: "TIME_INVALID" | "BANK_TIME_INVALID" | "DIRECTION_INVALID" | "STATUS_INVALID" | "AMOUNT_INVALID" | "CURRENCY_INVALID" | "NAMES_MISSING" | "NAMES_INVALID" | "PHONE_NUMBER_INVALID" | "FAILURE_CODE_INVALID" | "MOVEMENT_INVALID" | "MOVEMENT_STATUS" | "MOVEMENT_AMOUNT" | "MOVEMENT_TRANSACTION" | "REFERENCE_INVALID" | "CELL_COUNT" | "COLUMN_UNKNOWN" | "COLUMN_MISSING" | "COLUMN_REPEATED" | "NAME_COLUMN_MISSING" | "NOT_CSV" | "INTERRUPTED" | "FILES_BUSY";
          readonly column: string;
        }[];
        readonly uploadedBy: string;
        readonly startedAt: string;
        readonly voiding: "REQUESTED" | "RUNNING" | "VOIDED" | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List a merchant's fees */
  listFees: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly provider: string;
          readonly operation: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly basisPoints: number;
          readonly fixed: string;
        }[];
        readonly offers: readonly {
          readonly provider: string;
          readonly operation: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set a merchant's fee for an operation */
  setFee: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly provider: string;
      readonly operation: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      readonly currency: string;
      readonly basisPoints: number;
      readonly fixed: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List manual actions and who took them, the newest first */
  listHostAudit: {
    parameters: {
      query?: {
        limit?: string;
        cursor?: string;
        merchantId?: string;
        actor?: string;
        act?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly entryId: string;
          readonly at: string;
          readonly actor: string;
          readonly act: string;
          readonly subject: string;
          readonly detail: readonly {
            readonly name: string;
            readonly value: string;
          }[];
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly reason: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Open problems, and what monitors measured last */
  readHealth: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly now: string;
        readonly cell: string;
        readonly environment: "sandbox" | "production";
        readonly problems: readonly {
          readonly code: "WALLETS_UNBALANCED" | "CURRENCIES_UNBALANCED" | "WALLETS_OVERDRAWN" | "FOLLOW_UP_MISSING" | "PAYMENTS_ORPHANED" | "MEASUREMENT_MISSING" | "PAYMENTS_OVERDUE" | "CALLBACKS_OVERDUE" | "PAYOUT_SPIKE" | "PROVIDER_CLOSED" | "FLOAT_LOW" | "PROVIDER_DELAYED" | "PAYMENT_UNRESOLVED" | "REVERSALS_UNHELD" | "REPORT_UNREQUESTED" | "CASE_OPEN" | "ENDPOINT_DISABLED" | "ENDPOINT_FAILING" | "ENDPOINTS_NOT_EMPTIED" | "PAYMENTS_QUEUED" | "PAYMENTS_HELD" | "DAY_NOT_CLOSED" | "FLOAT_UNKNOWN" | "EVENT_FEED_LATE" | "SUSPENSE_OLD" | "SECRET_EXPIRES" | "TRANSACTIONS_UNCOMPARED" | "BALANCES_IN_TRANSIT" | "RECOVERY_OPEN" | "AUDIT_UNCHAINED";
          readonly severity: "CRITICAL" | "WARNING";
          readonly since: string | null;
          readonly parameters: { readonly [name: string]: string };
          readonly fixedAt: "LEDGER" | "FLOATS" | "HEALTH" | "PROVIDERS" | "UNRESOLVED_PAYMENTS" | "OVERDUE_TASKS" | "FAILING_ENDPOINTS" | "CALLBACK_ENDPOINTS" | "CASES" | "APPROVALS" | "MERCHANT" | "HOLDS" | "DAILY_CLOSE";
        }[];
        readonly omitted: readonly {
          readonly code: "WALLETS_UNBALANCED" | "CURRENCIES_UNBALANCED" | "WALLETS_OVERDRAWN" | "FOLLOW_UP_MISSING" | "PAYMENTS_ORPHANED" | "MEASUREMENT_MISSING" | "PAYMENTS_OVERDUE" | "CALLBACKS_OVERDUE" | "PAYOUT_SPIKE" | "PROVIDER_CLOSED" | "FLOAT_LOW" | "PROVIDER_DELAYED" | "PAYMENT_UNRESOLVED" | "REVERSALS_UNHELD" | "REPORT_UNREQUESTED" | "CASE_OPEN" | "ENDPOINT_DISABLED" | "ENDPOINT_FAILING" | "ENDPOINTS_NOT_EMPTIED" | "PAYMENTS_QUEUED" | "PAYMENTS_HELD" | "DAY_NOT_CLOSED" | "FLOAT_UNKNOWN" | "EVENT_FEED_LATE" | "SUSPENSE_OLD" | "SECRET_EXPIRES" | "TRANSACTIONS_UNCOMPARED" | "BALANCES_IN_TRANSIT" | "RECOVERY_OPEN" | "AUDIT_UNCHAINED";
          readonly count: number;
        }[];
        readonly monitors: readonly {
          readonly part: "flow" | "float" | "books";
          readonly ageSeconds: number | null;
          readonly intervalSeconds: number;
          readonly isStale: boolean;
          readonly samples: readonly {
            readonly metric: string;
            readonly labels: { readonly [name: string]: string };
            readonly value: number;
            readonly isWrong: boolean;
          }[];
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List retention periods */
  readRetention: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly notificationDays: number;
        readonly callbackAttemptDays: number;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Erase personal data of a phone number's final payments at a merchant; it cannot be undone */
  erasePerson: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly merchantId: string;
      readonly phoneNumber: string;
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly erasureId: string;
        readonly erased: number;
        readonly open: number;
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Freezes in force in every cell, the oldest first */
  listFreezes: {
    parameters: {};
    responses: {
      200: { content: { 'application/json': {
        readonly freezes: readonly {
          readonly freezeId: string;
          readonly scope: "MERCHANT" | "TOKEN" | "NUMBER" | "PROVIDER" | "ALL";
          readonly subject: string;
          readonly name: string | null;
          readonly reason: string | null;
          readonly liftReason: string | null;
          readonly frozenBy: string;
          readonly frozenAt: string;
          readonly expiresAt: string | null;
          readonly cellsWithout: readonly string[];
        }[];
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Stop outgoing payments of a merchant, a token, a recipient, a provider, or all */
  freeze: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly scope: "MERCHANT" | "TOKEN" | "NUMBER" | "PROVIDER" | "ALL";
      readonly subject?: string;
      readonly phoneNumber?: string;
      readonly reason: string;
      readonly expiresAt?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly isKnown: boolean;
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a freeze is lifted: payments that waited are sent, the oldest first */
  liftFreeze: {
    parameters: {
      path: {
        freezeId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The phone number of a frozen recipient in full; asking is recorded */
  revealFrozenNumber: {
    parameters: {
      path: {
        freezeId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly phoneNumber: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** What was limited, held and released, and what looks like an attack: the latest 200, the newest first */
  listRiskEvents: {
    parameters: {
      query?: {
        event?: "PLATFORM_LIMIT" | "MERCHANT_LIMIT" | "NUMBER_BLOCKED" | "PAYMENT_HELD" | "PAYMENT_RELEASED" | "PAYMENT_REJECTED" | "FROZEN" | "FREEZE_LIFTED" | "FUNDS_HELD" | "FUNDS_RELEASED" | "SIGN_IN_REFUSED" | "TOKEN_REFUSED" | "NOTIFICATION_FORGED";
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly events: readonly {
          readonly eventId: string;
          readonly cell: string;
          readonly event: "PLATFORM_LIMIT" | "MERCHANT_LIMIT" | "NUMBER_BLOCKED" | "PAYMENT_HELD" | "PAYMENT_RELEASED" | "PAYMENT_REJECTED" | "FROZEN" | "FREEZE_LIFTED" | "FUNDS_HELD" | "FUNDS_RELEASED" | "SIGN_IN_REFUSED" | "TOKEN_REFUSED" | "NOTIFICATION_FORGED";
          readonly lastAt: string;
          readonly count: number;
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly tokenId: string | null;
          readonly provider: string | null;
          readonly kind: string | null;
          readonly subject: string;
          readonly currency: string | null;
          readonly amount: string | null;
        }[];
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Payments and money that are held, and why: the 200 oldest, of all merchants or of one */
  listHolds: {
    parameters: {
      query?: {
        merchantId?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly holds: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly cell: string | null;
          readonly what: "FREEZE" | "SCREENING" | "REVIEW" | "MANUAL_DEPOSIT" | "CASE" | "REPORTED_REVERSAL";
          readonly amount: string;
          readonly currency: string;
          readonly since: string;
          readonly until: string | null;
          readonly why: readonly string[];
        }[];
        readonly isMore: boolean;
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** A list of phone numbers, what was added last first */
  listNumbers: {
    parameters: {
      query: {
        limit?: string;
        cursor?: string;
        list: "BLOCKED" | "ALLOWED";
        merchantId?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly entryId: string;
          readonly list: "BLOCKED" | "ALLOWED";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly phoneNumber: string;
          readonly reason: string | null;
          readonly expiresAt: string | null;
          readonly hasExpired: boolean;
          readonly addedBy: string;
          readonly addedAt: string;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Block a phone number, or request that it is allowed */
  addNumber: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly list: "BLOCKED" | "ALLOWED";
      readonly merchantId?: string;
      readonly phoneNumber: string;
      readonly reason: string;
      readonly expiresAt?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** On which lists a phone number is; asking is recorded */
  findNumber: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly phoneNumber: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly entries: readonly {
          readonly entryId: string;
          readonly list: "BLOCKED" | "ALLOWED";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly phoneNumber: string;
          readonly reason: string | null;
          readonly expiresAt: string | null;
          readonly hasExpired: boolean;
          readonly addedBy: string;
          readonly addedAt: string;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** A listed phone number in full; asking is recorded */
  revealNumber: {
    parameters: {
      path: {
        entryId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly phoneNumber: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The phone numbers that a request adds to a list, or removes from it */
  listRequestedNumbers: {
    parameters: {
      path: {
        approvalId: string;
      };
      query?: {
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly entryId: string;
          readonly list: "BLOCKED" | "ALLOWED";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly phoneNumber: string;
          readonly reason: string | null;
          readonly expiresAt: string | null;
          readonly hasExpired: boolean;
          readonly addedBy: string;
          readonly addedAt: string;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The same page with the numbers in full; asking is recorded */
  revealRequestedNumbers: {
    parameters: {
      path: {
        approvalId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly limit?: string;
      readonly cursor?: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly entryId: string;
          readonly list: "BLOCKED" | "ALLOWED";
          readonly merchantId: string | null;
          readonly merchant: string | null;
          readonly phoneNumber: string;
          readonly reason: string | null;
          readonly expiresAt: string | null;
          readonly hasExpired: boolean;
          readonly addedBy: string;
          readonly addedAt: string;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** End an allowance, or request that a block ends */
  removeNumber: {
    parameters: {
      path: {
        entryId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Add every phone number of a file; nothing is added where one line cannot be read */
  importNumbers: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly list: "BLOCKED" | "ALLOWED";
      readonly merchantId?: string;
      readonly file: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
        readonly missingCells: readonly string[];
        readonly count: number;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** A list as comma-separated values, with numbers in full; who asks is recorded */
  exportNumbers: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly list: "BLOCKED" | "ALLOWED";
      readonly merchantId?: string;
    } } };
    responses: {
      200: { content: { 'text/csv': string } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Payments that people look at before they are sent, the oldest first */
  listReviews: {
    parameters: {
      query?: {
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly paymentId: string;
          readonly amount: string;
          readonly currency: string;
          readonly provider: string;
          readonly phoneNumber: string;
          readonly createdAt: string;
          readonly reasons: readonly ("SCREENED" | "NO_ANSWER" | "FIRST_RECIPIENT" | "COOLING_OFF")[];
          readonly reason: string | null;
          readonly endsAt: string | null;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
        }[];
        readonly next: string | null;
        readonly otherCells: readonly {
          readonly cell: string;
          readonly count: number;
        }[];
        readonly missingCells: readonly string[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a payment is sent or rejected; another person approves */
  requestReview: {
    parameters: {};
    requestBody: { content: { 'application/json': {
      readonly merchantId: string;
      readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      readonly paymentId: string;
      readonly decision: "RELEASE" | "REJECT";
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Which payments of a merchant are screened, or held for people */
  listReviewRules: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rules: readonly {
          readonly rule: "SCREENING" | "FIRST_RECIPIENT" | "COOLING_OFF";
          readonly subject: string;
          readonly withoutAnswer: "NOT_ASKED" | "ALLOW" | "HOLD" | "REJECT" | null;
          readonly amountAbove: string | null;
          readonly hours: number | null;
          readonly isDefault: boolean;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set a rule; a looser one is requested */
  setReviewRule: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly rule: "SCREENING" | "FIRST_RECIPIENT" | "COOLING_OFF";
      readonly subject: string;
      readonly withoutAnswer: "NOT_ASKED" | "ALLOW" | "HOLD" | "REJECT" | null;
      readonly amountAbove: string | null;
      readonly hours: number | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a rule is removed */
  removeReviewRule: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly rule: "SCREENING" | "FIRST_RECIPIENT" | "COOLING_OFF";
      readonly subject: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** How many payments and how much money in a period, and how much of it is used */
  listLimits: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly limits: readonly {
          readonly setBy: "PLATFORM" | "MERCHANT";
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly scope: "MERCHANT" | "TOKEN" | "PROVIDER" | "COUNTRY" | "NUMBER";
          readonly subject: string;
          readonly period: "MINUTE" | "HOUR" | "DAY" | "MONTH";
          readonly currency: string;
          readonly countMax: number | null;
          readonly amountMax: string | null;
          readonly isDefault: boolean;
          readonly used: {
            readonly count: number;
            readonly amount: string;
          } | null;
          readonly startsAgainAt: string;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set a limit; a higher one is requested */
  setLimit: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      readonly scope: "MERCHANT" | "TOKEN" | "PROVIDER" | "COUNTRY" | "NUMBER";
      readonly subject: string;
      readonly period: "MINUTE" | "HOUR" | "DAY" | "MONTH";
      readonly currency: string;
      readonly countMax: number | null;
      readonly amountMax: string | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a limit is removed */
  removeLimit: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      readonly scope: "MERCHANT" | "TOKEN" | "PROVIDER" | "COUNTRY" | "NUMBER";
      readonly subject: string;
      readonly period: "MINUTE" | "HOUR" | "DAY" | "MONTH";
      readonly currency: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set a limit; a higher one is requested */
  setPlatformLimit: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      readonly scope: "MERCHANT" | "TOKEN" | "PROVIDER" | "COUNTRY" | "NUMBER";
      readonly subject: string;
      readonly period: "MINUTE" | "HOUR" | "DAY" | "MONTH";
      readonly currency: string;
      readonly countMax: number | null;
      readonly amountMax: string | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a limit is removed */
  removePlatformLimit: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
      readonly scope: "MERCHANT" | "TOKEN" | "PROVIDER" | "COUNTRY" | "NUMBER";
      readonly subject: string;
      readonly period: "MINUTE" | "HOUR" | "DAY" | "MONTH";
      readonly currency: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly outcome: "DONE" | "REQUESTED";
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Show results of a period and wallet balances */
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
        readonly timeZone: string;
        readonly from: string;
        readonly until: string;
        readonly countedUntil: string | null;
        readonly isCatchingUp: boolean;
        readonly step: "HOUR" | "DAY";
        readonly starts: readonly string[];
        readonly volumes: readonly {
          readonly at: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly completed: number;
          readonly completedAmount: string;
          readonly failed: number;
          readonly failedAmount: string;
          readonly fees: string;
        }[];
        readonly totals: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly completed: number;
          readonly completedAmount: string;
          readonly failed: number;
          readonly failedAmount: string;
          readonly fees: string;
          readonly previous: {
            readonly completed: number;
            readonly completedAmount: string;
            readonly failed: number;
            readonly failedAmount: string;
            readonly fees: string;
          };
        }[];
        readonly currencies: readonly {
          readonly currency: string;
          readonly count: number;
          readonly fees: string;
          readonly net: string;
          readonly previous: {
            readonly fees: string;
            readonly net: string;
          };
        }[];
        readonly providers: readonly {
          readonly provider: string;
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly completed: number;
          readonly failed: number;
          readonly p50Seconds: number | null;
          readonly p90Seconds: number | null;
        }[];
        readonly failures: readonly {
          readonly kind: "DEPOSIT" | "PAYOUT" | "REFUND" | "REMITTANCE";
          readonly currency: string;
          readonly failureCode: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List wallets with balances and reserved money */
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
          readonly alertBelow: string | null;
        }[];
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Set the balance below which people are mailed */
  setWalletAlert: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly country: string;
      readonly currency: string;
      readonly provider?: string;
      readonly below: string | null;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly done: true;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List movements of a wallet, the newest first */
  listWalletMovements: {
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
          readonly balance: string;
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List the registered bank accounts, and those that are pending approval */
  listBankAccounts: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly accounts: readonly {
          readonly currency: string;
          readonly bank: string;
          readonly holder: string;
          readonly number: string;
          readonly status: "CURRENT" | "REQUESTED";
          readonly usableFrom: string | null;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
        }[];
        readonly coolingOffHours: number;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a bank account is registered; another person approves */
  requestBankAccount: {
    parameters: {
      path: {
        merchantId: string;
        currency: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly bank: string;
      readonly holder: string;
      readonly number: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List requests for settlement, the newest first */
  listMerchantSettlements: {
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
          readonly settlementId: string;
          readonly country: string;
          readonly currency: string;
          readonly provider: string;
          readonly amount: string;
          readonly status: "REQUESTED" | "PAID" | "REJECTED";
          readonly bank: string;
          readonly number: string;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly decidedAt: string | null;
          readonly reference: string | null;
          readonly reason: string | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that money of a wallet is paid to the registered bank account */
  requestSettlement: {
    parameters: {
      path: {
        merchantId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly requestId: string;
      readonly country: string;
      readonly currency: string;
      readonly provider?: string;
      readonly amount: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly settlementId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** List settlements that wait, the oldest first, or decided ones, the newest first */
  listSettlements: {
    parameters: {
      query: {
        status: "REQUESTED" | "DECIDED";
        limit?: string;
        cursor?: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly rows: readonly {
          readonly merchantId: string;
          readonly merchant: string;
          readonly settlementId: string;
          readonly country: string;
          readonly currency: string;
          readonly provider: string;
          readonly amount: string;
          readonly status: "REQUESTED" | "PAID" | "REJECTED";
          readonly bank: string;
          readonly number: string;
          readonly requestedBy: string;
          readonly requestedAt: string;
          readonly decidedAt: string | null;
          readonly reference: string | null;
          readonly reason: string | null;
          readonly stops: readonly ("RECOVERING" | "SUSPENDED" | "FROZEN" | "WALLET_OWES")[];
          readonly wallet: {
            readonly available: string;
            readonly owed: string;
            readonly unheld: string;
          } | null;
          readonly approval: {
            readonly approvalId: string;
            readonly kind: "TOKEN" | "PUBLIC_KEY" | "UNSIGNED_REQUESTS" | "UNSIGNED_PAGES" | "INVITATION" | "ROLE" | "PAYMENT_END" | "OPERATOR_REPORT" | "REPORT_READING" | "MONEY" | "FLOAT" | "CASE" | "PAYOUT_BATCH" | "PAYOUT_LIMIT" | "LIMIT" | "FREEZE_LIFT" | "MERCHANT_RESUME" | "NUMBER_LIST" | "REVIEW" | "REVIEW_RULE" | "DAY_CLOSE" | "DAY_REOPEN" | "FIRST_DAY" | "FILE_VOID" | "BANK_ACCOUNT" | "SETTLEMENT" | "CELL_END" | "LOST_PAYMENT";
            readonly merchantId: string | null;
            readonly merchant: string | null;
            readonly subject: string;
            readonly details: { readonly [name: string]: string };
            readonly hash: string;
            readonly effect: {
              readonly currency: string;
              readonly postings: readonly {
                readonly debit: string;
                readonly credit: string;
                readonly amount: string;
              }[];
              readonly available: string;
              readonly owed: string;
            } | null;
            readonly reason: string | null;
            readonly isPlatform: boolean;
            readonly requestedBy: string;
            readonly requestedAt: string;
            readonly isOwn: boolean;
            readonly mayDecide: boolean;
            readonly rejectionSaysWhy: boolean;
            readonly approvalsNeeded: number;
            readonly confirmedBy: string | null;
            readonly status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            readonly decision: {
              readonly by: string;
              readonly at: string;
              readonly reason: string | null;
            } | null;
          } | null;
        }[];
        readonly next: string | null;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** The bank account in full; asking is recorded */
  revealSettlementAccount: {
    parameters: {
      path: {
        settlementId: string;
      };
    };
    responses: {
      200: { content: { 'application/json': {
        readonly bank: string;
        readonly holder: string;
        readonly number: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a settlement is recorded as paid; another person approves */
  requestSettlementPaid: {
    parameters: {
      path: {
        settlementId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reference: string;
      readonly bankHasPaid?: boolean;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Request that a settlement is rejected; another person approves */
  requestSettlementRejection: {
    parameters: {
      path: {
        settlementId: string;
      };
    };
    requestBody: { content: { 'application/json': {
      readonly reason: string;
    } } };
    responses: {
      200: { content: { 'application/json': {
        readonly approvalId: string;
      } } };
      '4XX': { content: { 'application/json': {
        readonly failureReason: {
          readonly failureCode: string;
          readonly failureMessage: string;
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Statements that were created, by people or by API, the newest first */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Create a statement of a wallet */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
  /** Where the file of a statement is; who asks is recorded */
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
          readonly reason?: {
            /** What exactly is wrong, where that is known. */
            readonly code: string;
            readonly parameters: { readonly [name: string]: string };
          };
        };
      } } };
    };
  };
}
