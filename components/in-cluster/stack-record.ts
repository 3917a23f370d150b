import { stackObjects } from "../../cluster/manifests/stack-objects";
import { type CreatedObject, type InCluster, inCluster } from "./kubernetes-object";

interface StackRecordArgs extends InCluster {
    readonly created: CreatedObject[];
}

/** Names of all objects of the stack, for `tradewind status`. Recorded last, so that none is recorded too early. */
export const StackRecord = inCluster("tradewind:index:StackRecord", ({ created }: StackRecordArgs, put) => {
    const lasting = created.filter(({ manifest }) => manifest.kind !== "Job");
    put(stackObjects(created.map(({ manifest }) => manifest)), { dependsOn: lasting.map(({ resource }) => resource) });
});
