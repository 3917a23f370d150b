import type { Manifest } from "../manifest";
import { configMap } from "./objects";

/** Record of the stack's objects in the cluster: one that is missing was deleted by mistake. */
export const stackObjectsName = "stack-objects";

/** Identity of an object. */
export interface ObjectId {
    readonly apiVersion: string;
    readonly kind: string;
    /** @default - it is cluster-wide */
    readonly namespace?: string;
    readonly name: string;
}

/** Nodes have a record of their own, and Jobs are removed some time after they finish. */
const unrecorded = ["Node", "Job"];

/** The record. It is updated after all other objects, and Pulumi deletes last: until then it matches what exists. */
export function stackObjects(manifests: readonly Manifest[]): Manifest {
    const lines = manifests
        .filter(({ kind }) => !unrecorded.includes(kind))
        .map(({ apiVersion, kind, metadata: { namespace, name } }) => [apiVersion, kind, namespace ?? "-", name]);
    return configMap(stackObjectsName, {
        objects: [...new Set(lines.map((line) => line.join(" ")))].sort().join("\n"),
    });
}

/** Parses the record; undefined if there is none. */
export function recordedObjects(data: Readonly<Record<string, string>> | undefined): ObjectId[] | undefined {
    return data?.objects
        ?.split("\n")
        .map((line) => line.split(" "))
        .filter((parts) => parts.length === 4)
        .map(([apiVersion, kind, namespace, name]) => ({
            apiVersion: apiVersion!,
            kind: kind!,
            ...(namespace !== "-" && { namespace }),
            name: name!,
        }));
}
