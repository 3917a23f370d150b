/** Which machines may become nodes by a token that does not end: `plan.json`. It holds no secret. */
export interface NodeApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** The label that names a node's pool. */
    readonly poolLabel: string;
    /** By the group of whoever has the pool's token. */
    readonly pools: Readonly<Record<string, PoolPlan>>;
}

export interface PoolPlan {
    readonly pool: string;
    /** Regular expression of the pool's nodes' whole names. */
    readonly namePattern: string;
    /** How many nodes there may be at a time. */
    readonly max: number;
}
