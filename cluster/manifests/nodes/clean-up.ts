import { cleanUpMarker } from "../../../agents/clean-up/request";
import type { Manifest } from "../../manifest";
import { configMap } from "../objects";

/** Marker that a clean-up finds in a cluster being destroyed: otherwise, the stack has deleted it before. */
export function cleanUpMarkerConfig(id: string): Manifest {
    return configMap(cleanUpMarker, { id });
}
