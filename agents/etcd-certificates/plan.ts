/** Which member's certificate is made another: `plan.json`. The new one lies beside it. */
export interface EtcdCertificatesPlan {
    /** Name of the member. */
    readonly name: string;
    /** The member as it is reached on its own machine: `https://127.0.0.1:2379`. */
    readonly url: string;
    /** Directory of its certificates on the machine. */
    readonly pki: string;
    /** How long it may take to serve with the new one. @default 60 */
    readonly timeoutSeconds?: number;
}

/** The member's certificate, beside the plan as on the machine. */
export const certificateFile = "member.crt";
/** Its key, which stays. */
export const keyFile = "member.key";
/** Whom it and its peers trust. */
export const authorityFile = "ca.crt";
