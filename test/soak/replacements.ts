import assert from "node:assert/strict";
import { containerName, docker, powerCut, powerOff, powerOn } from "../../machines";
import { controllersOf, leftOn, rolesOf, untilCalm, untilControllersAre } from "../cluster/candidates/roles";
import { eventually, readText, type TestCluster } from "../cluster/cluster";
import { etcdMembers, threeVotersWithout } from "../cluster/etcd-roll";
import { ObjectCounter } from "../cluster/object-counter";
import type { Outcome } from "./report";
import type { Written } from "./written";

type Act = (cluster: TestCluster, machine: string) => Promise<unknown>;

/** A way to lose a controller, and how it returns once it has been replaced. */
interface Loss {
    readonly name: string;
    readonly about: string;
    readonly lose: Act;
    readonly back: Act;
}

/** Seconds from a loss to three voters on a quiet machine: the summary has how many rounds took longer. */
const goalSeconds = 120;
/** Seconds after which it is not survived. */
const limitSeconds = 480;
/** Share of the rounds in which the joining candidate loses power, too. */
const cutShare = 0.3;

/** Drops packets that a machine sends, receives, or both. */
function partition(hooks: readonly ("input" | "output" | "forward")[]): Pick<Loss, "lose" | "back"> {
    const chains = hooks.map(
        (hook) => `chain ${hook} {
            type filter hook ${hook} priority -400
            ${hook === "input" ? "iifname" : "oifname"} "lo" accept
            drop
        }`,
    );
    return {
        lose: (cluster, machine) =>
            cluster.exec(machine, `nft -f - <<END\ntable inet partition {\n${chains.join("\n")}\n}\nEND`),
        back: (cluster, machine) => cluster.exec(machine, "nft delete table inet partition"),
    };
}

const losses: readonly Loss[] = [
    {
        name: "off",
        about: "it is without power",
        lose: ({ name }, machine) => powerOff(name, machine),
        back: ({ name }, machine) => powerOn(name, machine),
    },
    {
        name: "frozen",
        about: "all its processes stop, and continue later as if nothing had happened",
        lose: ({ name }, machine) => docker(["pause", containerName(name, machine)]),
        back: ({ name }, machine) => docker(["unpause", containerName(name, machine)]),
    },
    { name: "partitioned", about: "nothing reaches it or leaves it", ...partition(["input", "output", "forward"]) },
    { name: "mute", about: "it hears the others, but nothing leaves it", ...partition(["output", "forward"]) },
    { name: "deaf", about: "it sends, but hears nothing", ...partition(["input", "forward"]) },
];

export const describeLosses = losses.map(({ name, about }) => `  ${name.padEnd(11)}  ${about}`).join("\n");

/** One round: a controller is lost, a candidate takes its place, and the machine returns as a candidate. */
export async function replacement(
    index: number,
    cluster: TestCluster,
    random: () => number,
    written: Written,
): Promise<Outcome> {
    await untilCalm(cluster);
    const controllers = await controllersOf(cluster);
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
    const [lost, loss, isCut] = [pick(controllers), pick(losses), random() < cutShare];
    const others = controllers.filter((name) => name !== lost);
    console.log(`#${index} ${loss.name}(${lost})${isCut ? ", and the joining candidate loses power" : ""}`);
    const counter = new ObjectCounter(readText(cluster.kubeconfig));
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
        await loss.lose(cluster, lost);
        if (isCut) await cutJoining(cluster);
        await eventually("three voters", () => threeVotersWithout(lost, cluster, others[0]!), limitSeconds);
    } finally {
        written.add(await counter.stop());
    }
    const outcome: Outcome = {
        index,
        faults: [loss.name, ...(isCut ? ["candidate-cut"] : [])],
        seconds: seconds(),
        gap: written.last!.longestGap / 1000,
    };
    console.log(
        `    three voters after ${outcome.seconds.toFixed(0)} s; ${written.last!.acknowledged.length} objects written, ` +
            `${written.last!.failures.length} refused, longest gap ${outcome.gap.toFixed(1)} s`,
    );
    await returned(cluster, lost, loss);
    await untilControllersAre(cluster, [...others, ...(await newControllers(cluster, others))], 300);
    console.log(`    ${lost} is a candidate again, and all is calm, after ${seconds().toFixed(0)} s`);
    await written.check();
    return outcome;
}

async function cutJoining(cluster: TestCluster): Promise<void> {
    const joining = await eventually(
        "a joining candidate",
        async () => {
            const [found] = Object.entries(await rolesOf(cluster)).find(([, { role }]) => role === "joining") ?? [];
            assert.ok(found);
            return found;
        },
        limitSeconds,
    );
    await powerCut(cluster.name, joining);
}

/** The lost machine returns: it cleans itself up and stays a candidate. */
async function returned(cluster: TestCluster, lost: string, { back }: Loss): Promise<void> {
    await back(cluster, lost);
    const isCandidate = async () => {
        assert.equal((await rolesOf(cluster))[lost]?.role, "candidate");
        assert.deepEqual(await leftOn(cluster, lost), []);
    };
    await eventually(`${lost} to be a candidate`, isCandidate, 300);
}

async function newControllers(cluster: TestCluster, others: readonly string[]): Promise<string[]> {
    const members = await etcdMembers(cluster, others[0]!);
    return members.filter((name) => !others.includes(name));
}

/** How many rounds met the goal. */
export function describeGoal(outcomes: readonly Outcome[]): string {
    const met = outcomes.filter(({ seconds }) => seconds <= goalSeconds).length;
    return `==> three voters within ${goalSeconds} s in ${met} of ${outcomes.length} rounds`;
}
