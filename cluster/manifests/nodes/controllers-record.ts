import { controllersConfig } from "../../../agents/nodes/promoter/record";
import type { Manifest } from "../../manifest";
import { systemNamespace } from "../objects";

/**
 * Which nodes are controllers: node-promoter's record and administrators' requests. The stack creates it and leaves its
 * data alone.
 */
export function controllersRecord(): Manifest {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: controllersConfig, namespace: systemNamespace } };
}
