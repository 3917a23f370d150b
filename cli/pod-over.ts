export interface PodStatus {
    readonly phase?: string;
    readonly conditions?: readonly {
        readonly type: string;
        readonly status: string;
        readonly lastTransitionTime?: string;
        readonly reason?: string;
        readonly message?: string;
    }[];
}

/**
 * True if a pod will never run again and nobody is to wait for it: it did its work, or it had to go, as in its node's
 * shutdown in good order, and what it belongs to has made another.
 */
export function isOver({ phase, conditions = [] }: PodStatus): boolean {
    const hadToGo = conditions.some(({ type, status }) => type === "DisruptionTarget" && status === "True");
    return phase === "Succeeded" || (phase === "Failed" && hadToGo);
}
