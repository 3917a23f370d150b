/** Something that is not as it should be. */
export interface Finding {
    /** `critical`: the cluster is not healthy. `warning`: it is, and something wants attention before long. */
    readonly severity: "critical" | "warning";
    /** What kind of thing, for scripts: it does not change. */
    readonly code: string;
    /** A plain sentence. */
    readonly message: string;
    /** What to do about it. */
    readonly advice?: string;
}

type Details = Omit<Finding, "severity">;

export const critical = (code: string, message: string, advice?: string): Finding =>
    finding("critical", { code, message, advice });
export const warning = (code: string, message: string, advice?: string): Finding =>
    finding("warning", { code, message, advice });

function finding(severity: Finding["severity"], { code, message, advice }: Details): Finding {
    return { severity, code, message, ...(advice && { advice }) };
}
