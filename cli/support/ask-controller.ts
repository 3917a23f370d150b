import { paths } from "../../components/nodes/paths";
import type { Controller } from "../recover/controller";
import type { Gathered } from "./gathered";

/** What is asked of a controller as root, by the file that gets the answer. Of secrets there are names and sizes alone. */
const QUESTIONS: Readonly<Record<string, string>> = {
    "journal.log": "journalctl --no-pager --output short-precise --lines 20000",
    "units.txt": "systemctl --no-pager --all list-units 'kubelet*' 'containerd*' 'bootstrap*' 'etcd*' 'checkpoints*'",
    "disks.txt": "df -h; df -i",
    "memory.txt": "free -m; uptime",
    "containers.txt": "ctr -n k8s.io containers ls",
    "processes.txt": "ps -eo pid,ppid,lstart,pcpu,rss,comm",
    "listening.txt": "ss -tlnp",
    "static-pods.txt": "ls -l --time-style=full-iso /etc/kubernetes/manifests; cat /etc/kubernetes/manifests/*.json",
    "checkpoints.txt": `ls -lR --time-style=full-iso /var/lib/tradewind ${paths.checkpoints}; cat ${paths.checkpointerState}/status.json`,
    "bootstrap-stages.jsonl": "cat /var/lib/tradewind/bootstrap/stages.jsonl",
};

/** What a controller tells without the API. */
export async function askController(controller: Controller, into: Gathered): Promise<void> {
    for (const [file, script] of Object.entries(QUESTIONS)) {
        const path = `machines/${controller.name}/${file}`;
        try {
            // What one part of it can't tell must not keep the rest away.
            into.add(path, await controller.run(`{ ${script}; } 2>&1 || true`));
        } catch (error) {
            into.miss(path, (error as Error).message);
            if (file === Object.keys(QUESTIONS)[0]) return;
        }
    }
}
