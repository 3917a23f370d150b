import assert from "node:assert/strict";
import { stepNames } from "../../../agents/bootstrap/step-names";
import { powerCut } from "../../../machines";
import { eventually, finished, TestCluster } from "../cluster";

interface Stage {
    readonly step: string;
    readonly event: string;
}

const stagesFile = "/var/lib/tradewind/bootstrap/stages.jsonl";

/** The stages that a machine's bootstrap has logged so far. */
async function stages(cluster: TestCluster, machine: string): Promise<Stage[]> {
    const text = await cluster.exec(machine, `cat ${stagesFile} 2>/dev/null || true`).catch(() => "");
    return text
        .split("\n")
        .filter(Boolean)
        .flatMap((line) => {
            try {
                return [JSON.parse(line) as Stage];
            } catch {
                // A power cut may leave half a line.
                return [];
            }
        });
}

describe("a bootstrap that is interrupted", () => {
    const cluster = new TestCluster("crash");
    const machine = "crash-controller-0";

    after(async function () {
        this.timeout(180_000);
        await cluster.destroy();
    });

    it("resumes and pivots when it is killed at the start of every step and the power is cut in the middle", async function () {
        this.timeout(900_000);
        const start = cluster.spawnStart("--controllers", "1", "--workers", "0", "--yes");
        const done = finished(start);
        await eventually("the machine", () => cluster.exec(machine, "true"), 300);
        await releaseKiller();
        await eventually("the kill before the power cut", () => wasKilled("wait-for-self-hosted"), 300);
        await powerCut("crash", machine);
        await eventually("the machine's return", () => releaseKiller(), 60);
        await done;
        const killed = interruptedSteps(await stages(cluster, machine));
        // A step of milliseconds may be over when the signal comes; those of seconds cannot, and some of the others are hit.
        for (const step of ["wait-for-api", "wait-for-self-hosted", "stop-temporary-apiserver"]) {
            assert(killed.has(step), `${step} interrupted, got ${[...killed].join(", ")}`);
        }
        assert(killed.size >= 6, `at least 6 of ${stepNames.length} steps interrupted, got ${[...killed].join(", ")}`);
        console.log(`      killed in ${[...killed].join(", ")}`);
        assert.equal(await cluster.exec(machine, "ls /etc/kubernetes/manifests | grep -v ^checkpoint-"), "etcd.json\n");
        const left = "find /opt/tradewind/bootstrap/secrets /etc/kubernetes/bootstrap-secrets 2>/dev/null; true";
        assert.equal(await cluster.exec(machine, left), "");
    });

    /** Starts a process on the machine that kills the agent once as each step starts: from outside it would come too late. */
    async function releaseKiller(): Promise<void> {
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
        await cluster.exec(
            machine,
            `cat > /run/killer <<'END'\n${script}\nEND\nsetsid sh /run/killer >/dev/null 2>&1 &`,
        );
    }

    const wasKilled = (step: string) => cluster.exec(machine, `test -d /var/lib/killed/${step}`);
});

/** The steps in which a run of the agent ended: after them a run began anew, though they were not done. */
function interruptedSteps(log: readonly Stage[]): Set<string> {
    const isCut = ({ event }: Stage, next: Stage | undefined) => event !== "done" && next?.event === "start";
    return new Set(log.filter((stage, index) => isCut(stage, log[index + 1])).map(({ step }) => step));
}
