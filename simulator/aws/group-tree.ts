import type { Tree } from "../cloud/tree";
import type { Instance } from "./account";

/**
 * What the metadata service tells an instance of what its group wants of it.
 *
 * Source: "Retrieve the target lifecycle state through instance metadata".
 */
export function groupTree({ madeBy, waiting }: Instance): Tree {
    if (madeBy === undefined) return {};
    return { autoscaling: { "target-lifecycle-state": waiting ? "Terminated" : "InService" } };
}
