import type * as v from "valibot";
import { ec2Place, object, text, url, wholePattern } from "../../harness/plan";

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    ...ec2Place,
    /** Regular expression for the full names of nodes of Auto Scaling groups: the instance ID comes first. */
    namePattern: wholePattern,
    /** Label of nodes that are never deleted. */
    controllerLabel: text("a label"),
});

/** The node cleaner's plan (`plan.json`): nodes are deleted once their instances are deleted. It contains no secrets. */
export type NodeCleanerPlan = v.InferOutput<typeof planSchema>;
