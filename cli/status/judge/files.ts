import { paths } from "../../../cluster/paths";
import { type ClusterFacts, critical, type Finding, ifKnown, type MachineFacts } from "../facts";
import { onMachine, recover } from "./remedies";

/** Files on machines that a power cut has damaged, and that the machine itself could not restore. */
export function judgeFiles(facts: ClusterFacts): Finding[] {
    return (ifKnown(facts.machines) ?? []).flatMap((machine) => judgeMachine(machine, facts));
}

function judgeMachine({ name, inside }: MachineFacts, facts: ClusterFacts): Finding[] {
    const { kubelet, saved, damaged = [], hasCertificate = true } = ifKnown(inside) ?? {};
    const isController = saved !== undefined;
    const files = damaged.map((file) =>
        critical(
            "file-damaged",
            `The file ${file} on ${name} is empty, short or has other bytes, as after a power cut.`,
            `${onMachine(facts, name, "systemctl restart keep-files")} restores it if the machine has a copy; ` +
                (isController && isRecovered(file)
                    ? `if not, ${recover(facts, "etcd")}`
                    : "if not, replace the machine (docs/scaling.md#recreate-with-the-current-configuration)"),
        ),
    );
    const isStranded = isController && kubelet !== undefined && kubelet !== "ok" && !hasCertificate;
    const stranded = critical(
        "client-certificate-missing",
        `The kubelet on ${name} has no client certificate in ${paths.kubeletClient}, and waits for an API to request one.`,
        `If another controller serves, it joins again by its token within minutes. If none does: ${recover(facts, "etcd")}`,
    );
    return [...files, ...(isStranded ? [stranded] : [])];
}

/** Whether a recovery from etcd writes the file again. */
function isRecovered(file: string): boolean {
    return [paths.etcdPki, paths.etcdStaticPod, paths.bootstrapKubeconfig].some((path) => file.startsWith(path));
}
