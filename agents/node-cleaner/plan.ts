import type { Ec2Place } from "../common/ec2-instances";

/** Whose nodes are deleted when their instances are gone, and who says so: `plan.json`. It holds no secret. */
export interface NodeCleanerPlan extends Ec2Place {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Regular expression of the whole names of nodes that Auto Scaling groups make: the instance's id comes first. */
    readonly namePattern: string;
    /** The label of nodes that are never deleted. */
    readonly controllerLabel: string;
}
