import { type ClusterFacts, type Finding, ifKnown, warning } from "../facts";

/** Pods that can never start, because their data were on a machine that was removed. */
export function judgeStranded({ stranded }: ClusterFacts): Finding[] {
    return (ifKnown(stranded) ?? []).map(({ namespace, name, claim, volume, node }) =>
        warning(
            "pod-stranded",
            `The pod ${namespace}/${name} waits for the volume ${volume} (claim ${claim}), which was on the node ${node} that does not exist.`,
            `Bring the node back, or give its data up: kubectl -n ${namespace} delete pvc ${claim} --wait=false; kubectl -n ${namespace} delete pod ${name}; kubectl delete pv ${volume}`,
        ),
    );
}

/** Namespaces whose deletion does not end. */
export function judgeEnding({ ending }: ClusterFacts): Finding[] {
    return (ifKnown(ending) ?? []).map(({ name, sinceSeconds, problem, definitions }) => {
        const why = problem ? `: ${problem.replace(/\.$/, "")}` : "";
        const dead = definitions.join(", ");
        return warning(
            "namespace-ends",
            `The namespace ${name} has been in deletion for ${Math.floor(sinceSeconds / 60)} min${why}.${dead && ` The conversion webhook of ${dead} has no ready endpoint.`}`,
            dead
                ? `Start the webhook's pods again or, if it was uninstalled, delete its definitions and all objects of their kinds: kubectl delete crd ${definitions.join(" ")}`
                : `kubectl get namespace ${name} -o jsonpath='{.status.conditions}' says what remains and which finalizers it has.`,
        );
    });
}
