import type { TestCluster } from "./cluster";

interface Stage {
    readonly step: string;
    readonly event: string;
}

const stagesFile = "/var/lib/tradewind/bootstrap/stages.jsonl";

/** Starts a process on the machine that kills the agent once as each step starts: from outside it would be too late. */
export async function releaseKiller(cluster: TestCluster, machine: string): Promise<void> {
    const script = `mkdir -p /var/lib/killed
tail -n +1 -s 0.01 -F ${stagesFile} 2>/dev/null | while read -r line; do
    case "$line" in *'"event":"start"'*) ;; *) continue ;; esac
    step=\${line#*'"step":"'}
    step=\${step%%'"'*}
    mkdir /var/lib/killed/$step 2>/dev/null || continue
    # It gets no further while the unit is masked, until the power is cut: /run does not survive it.
    pkill -STOP -f 'bootstrap/bootstrap[.]js'
    if [ $step = wait-for-self-hosted ]; then systemctl mask --runtime --quiet bootstrap.service; fi
    pkill -KILL -f 'bootstrap/bootstrap[.]js'
done`;
    await cluster.exec(machine, `cat > /run/killer <<'END'\n${script}\nEND\nsetsid sh /run/killer >/dev/null 2>&1 &`);
}

export async function wasKilled(cluster: TestCluster, machine: string, step: string): Promise<void> {
    await cluster.exec(machine, `test -d /var/lib/killed/${step}`);
}

/** The stages logged by a machine's bootstrap. */
export async function stages(cluster: TestCluster, machine: string): Promise<Stage[]> {
    const text = await cluster.exec(machine, `cat ${stagesFile}`);
    return text
        .split("\n")
        .filter(Boolean)
        .flatMap((line) => {
            try {
                return [JSON.parse(line) as Stage];
            } catch {
                // A power cut may leave a partial line.
                return [];
            }
        });
}

/** The steps in which a run of the agent was killed: a new run started after them, although they were not done. */
export function interruptedSteps(log: readonly Stage[]): Set<string> {
    const isCut = ({ event }: Stage, next: Stage | undefined) => event !== "done" && next?.event === "start";
    return new Set(log.filter((stage, index) => isCut(stage, log[index + 1])).map(({ step }) => step));
}
