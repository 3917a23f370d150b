import { cleanUpMarker } from "../../../agents/clean-up/request";
import type { Manifest } from "../../manifest";

/** Marker that a clean-up finds in a cluster being destroyed: otherwise, the stack has deleted it before. */
export function cleanUpMarkerConfig(id: string): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: cleanUpMarker, namespace: "kube-system" },
        data: { id },
    };
}
