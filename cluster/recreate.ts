import { type Cluster, possibleControllers } from "./model";
import { invalid, mustNot } from "./validate";

/**
 * Checks the names of machines that are replaced when their boot configuration changes.
 *
 * @param workers - names of workers that the stack creates individually; groups replace theirs themselves
 */
export function requireKnownMachines(
    names: readonly string[] = [],
    cluster: Pick<Cluster, "controllers">,
    workers: readonly string[] = [],
): readonly string[] {
    const { controllers } = cluster;
    const legal = [...controllers.names, ...workers];
    names.forEach((name, index) => {
        const option = `recreate[${index}]`;
        if (!legal.includes(name)) throw invalid(option, `one of ${legal.join(", ")}`, name);
        if (names.indexOf(name) !== index) throw mustNot(option, "be listed twice", name);
    });
    const some = names.filter((name) => possibleControllers(cluster).includes(name));
    const kind = controllers.candidates.length > 0 ? "controller or candidate" : "controller";
    // The other controllers keep etcd's majority meanwhile.
    if (some.length > 1) throw invalid("recreate", `a list with at most one ${kind}`, some);
    return names;
}
