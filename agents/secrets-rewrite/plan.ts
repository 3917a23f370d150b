/** Which API has its Secrets written again: `plan.json`. It holds no secret. */
export interface SecretsRewritePlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** How many Secrets are asked for at a time. @default 500 */
    readonly pageSize?: number;
}
