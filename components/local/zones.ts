import { invalid, labelValue } from "../../cluster/validate";

const zoneLabel = "topology.kubernetes.io/zone";

/** Throws `zones[0] must be <legal> (got <value>)`. */
export function resolveZones(zones: readonly string[] = ["local-a", "local-b", "local-c"]): readonly string[] {
    for (const [index, zone] of zones.entries()) {
        if (zone === "" || !labelValue.test(zone)) throw invalid(`zones[${index}]`, "a Kubernetes label value", zone);
    }
    return zones;
}

/** The pool, or the controllers, with the zone of its machine at `index`. Other labels take precedence. */
export function inZone<Pool extends { readonly labels: Record<string, string> }>(
    pool: Pool,
    zones: readonly string[],
    index: number,
): Pool {
    if (zones.length === 0) return pool;
    return { ...pool, labels: { [zoneLabel]: zones[index % zones.length]!, ...pool.labels } };
}
