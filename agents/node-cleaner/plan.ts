/** Whose nodes are deleted when their instances are gone, and who says so: `plan.json`. It holds no secret. */
export interface NodeCleanerPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** EC2's API: `https://ec2.eu-central-1.amazonaws.com`. */
    readonly ec2: string;
    readonly region: string;
    /** Regular expression of the whole names of nodes that Auto Scaling groups make: the instance's id comes first. */
    readonly namePattern: string;
    /** The label of nodes that are never deleted. */
    readonly controllerLabel: string;
}
