/** Whose kubelets may have certificates of servers: `plan.json`. It holds no secret. */
export interface ServingApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** File with {@link Machines} as JSON, which is read again each time: machines come and go. */
    readonly machines: string;
}

/** The addresses of the machines that the stack made, by node name, which is their only name. */
export type Machines = Readonly<Record<string, readonly string[]>>;
