import { type ClusterFacts, type Finding, warning } from "../facts";

const logs = "kubectl -n kube-system logs -l k8s-app=upgrade-guard --prefix";

/** What the upgrade guard has taken back, or cannot judge. */
export function judgeUpgrade({ upgrade }: ClusterFacts): Finding[] {
    if (upgrade === undefined) return [];
    const { from, to, takenBack, undecided } = upgrade;
    if (takenBack !== undefined) {
        return [
            warning(
                "upgrade-taken-back",
                `${takenBack.slice(0, 1).toUpperCase()}${takenBack.slice(1)}.`,
                `Set kubernetesVersion to ${from}, or repair the cause; ${logs} says more. This remains until another upgrade, or tradewind upgrade-guard --accept`,
            ),
        ];
    }
    const what = `The upgrade guard cannot judge Kubernetes ${to} at the moment: ${undecided}.`;
    return undecided === undefined ? [] : [warning("upgrade-undecided", what, logs)];
}
