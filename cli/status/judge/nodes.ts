import { isWithoutCni } from "../../../clients/kubernetes/nodes";
import { poolLabel } from "../../../cluster/labels";
import { containerName } from "../../../machines/names";
import {
    type ClusterFacts,
    critical,
    type Finding,
    ifKnown,
    type MachineFacts,
    type NodeFacts,
    type ShortPool,
    warning,
} from "../facts";
import { lastWords, onMachine, recover, startOf, withoutMachine } from "./remedies";

export function judgeNodes(facts: ClusterFacts): Finding[] {
    const { nodes, named = [] } = facts;
    const all = ifKnown(nodes);
    if (all === undefined) {
        return [];
    }
    const missing = all.some(({ isController }) => isController)
        ? []
        : [
              critical(
                  "no-controllers",
                  "No node has the control-plane role.",
                  facts.candidates
                      ? "Add it to those that have a member of etcd: kubectl label node NODE node-role.kubernetes.io/control-plane="
                      : "pulumi up --refresh adds it to the controllers.",
              ),
          ];
    const withoutNode = named.filter((name) => !all.some((each) => each.name === name));
    const lost = withoutMachine(facts);
    const absent = withoutNode.filter((name) => !lost.includes(name));
    return [
        ...missing,
        ...all.flatMap((node) => [...judgePool(node, facts), ...judgeConditions(node)]),
        ...judgeAgents(all, facts),
        ...judgeSizes(facts),
        ...absent.map((name) => judgeAbsent(name, facts)),
        // Of a node without a machine only the machine's finding matters.
        ...all.filter(({ name }) => !lost.includes(name)).flatMap((node) => judgeNode(node, facts)),
    ];
}

/** Its pool's node-agent runs on a node by this label: without it, the node never changes again. */
function judgePool({ name, pool }: NodeFacts, { pools }: ClusterFacts): Finding[] {
    if (pools === undefined) return [];
    const desired = pools[name];
    if (desired === undefined ? pool !== undefined : pool === desired) return [];
    const lacks =
        pool === undefined
            ? `has no pool label (${poolLabel})`
            : `has the pool label ${pool}, but belongs to the pool ${desired}`;
    return [
        critical(
            "node-without-pool",
            `The node ${name} ${lacks}: no node-agent of its pool changes it, and it keeps its versions.`,
            `kubectl label node ${name} --overwrite ${poolLabel}=${desired ?? "POOL, the name of its pool"}`,
        ),
    ];
}

/** Conditions that are findings, by type. */
const lacking: Readonly<Record<string, { readonly what: string; readonly advice: string }>> = {
    DiskPressure: {
        what: "lacks disk space: pods are evicted from it, and no others start",
        advice: "free space on its disk (df -h, crictl rmi --prune, journalctl --vacuum-size=200M)",
    },
    MemoryPressure: {
        what: "lacks memory: pods without requests are evicted from it",
        advice: "move pods elsewhere, or set requests (kubectl top pods -A)",
    },
    PIDPressure: {
        what: "lacks process IDs: pods are evicted from it, and no others start",
        advice: "find the pod with many processes (ps -eLf), or raise the limit",
    },
};

function judgeConditions({ name, conditions = [] }: NodeFacts): Finding[] {
    return Object.entries(lacking)
        .filter(([type]) => conditions.includes(type))
        .map(([type, { what, advice }]) =>
            critical(
                "node-pressure",
                `The node ${name} ${what} (${type}).`,
                `On ${name}: ${advice}. What the kubelet says: kubectl describe node ${name}`,
            ),
        );
}

/** DaemonSets of these apps have a pod on every node. Those of node-agent are one per pool. */
const everywhere = ["node-agent", "kube-proxy"];

/** Nodes on which no DaemonSet places a pod that every node needs. */
function judgeAgents(nodes: readonly NodeFacts[], { workloads, pools }: ClusterFacts): Finding[] {
    const sets = (ifKnown(workloads) ?? []).filter(({ kind }) => kind === "DaemonSet");
    return everywhere.flatMap((app) => {
        const own = sets.filter((set) => set.app === app);
        const desired = own.reduce((sum, { desired }) => sum + desired, 0);
        // A node without a pool has a finding of its own, as has a missing DaemonSet.
        const able = nodes.filter(({ name, pool }) => app !== "node-agent" || (pools?.[name] ?? pool) === pool);
        if (own.length === 0 || desired >= able.length) return [];
        return [
            critical(
                "agent-missing",
                `The DaemonSets of ${app} place pods on ${desired} of ${able.length} nodes.`,
                `Compare kubectl get nodes --show-labels with kubectl -n kube-system get daemonset -l k8s-app=${app}; pulumi up --refresh reverts changed selectors.`,
            ),
        ];
    });
}

/** Pools that lack nodes, with the cloud's own reason if it is known. */
function judgeSizes(facts: ClusterFacts): Finding[] {
    return (facts.shortPools ?? []).map((pool) => {
        const { said, advice } = whyShort(pool, facts);
        return warning("pool-short", `The pool ${pool.name} has ${pool.present} of ${pool.size} nodes.${said}`, advice);
    });
}

const mostFailures = 2;

function whyShort({ name, size }: ShortPool, { cluster, launches }: ClusterFacts): Record<"said" | "advice", string> {
    const fact = launches?.[name];
    const found = fact && ifKnown(fact);
    const joining =
        "kubectl get csr shows whether one has requested a certificate, and its console what it is waiting for.";
    if (found && found.machines.length >= size) {
        return {
            said: ` Its group ${found.group} has ${found.machines.length} instances.`,
            advice: `A new instance joins within minutes. If one does not: ${joining}`,
        };
    }
    if (found && found.failures.length > 0) {
        return {
            said: ` Its group ${found.group} cannot launch instances: ${found.failures.slice(0, mostFailures).join("; ")}`,
            advice: "The group tries again by itself. Remove the cause, or choose other instance types or zones for the pool and run pulumi up.",
        };
    }
    const group = found?.group ?? `${cluster}-${name}`;
    const activities = `aws autoscaling describe-scaling-activities --auto-scaling-group-name ${group}`;
    return {
        said: fact && "unknown" in fact ? ` The cloud's reason could not be read: ${fact.unknown}.` : "",
        advice: [
            `A new instance joins within minutes. If none does: ${activities} says why none is launched, ${joining}`,
            ...(fact ? [] : ["With --stack and credentials of AWS, this command reads the reason itself."]),
        ].join(" "),
    };
}

/** A kubelet registers only once, when it starts. */
function judgeAbsent(name: string, facts: ClusterFacts): Finding {
    const atOnce = onMachine(facts, name, "systemctl restart kubelet");
    return critical(
        "node-missing",
        `The machine ${name} of the stack has no Node in the API: the Node was deleted or never registered.`,
        [
            `After a deletion, the machine restarts its kubelet within two minutes, which registers it again. To do this now: ${atOnce}.`,
            "If it never joined, its console says what it is waiting for, and kubectl get csr shows whether it requested a certificate.",
            `If its machine is older than a day, its bootstrap token has expired. To renew it: ${recover(facts, "api")}`,
        ].join(" "),
    );
}

function judgeNode(
    { name, isReady, problem = "no reason given", isCordoned }: NodeFacts,
    facts: ClusterFacts,
): Finding[] {
    const cordoned = warning(
        "node-cordoned",
        `The node ${name} is cordoned and takes no new pods.`,
        `kubectl uncordon ${name}`,
    );
    const withoutCni = critical(
        "node-without-cni",
        `The node ${name} is not Ready: it waits for a CNI, which has written no configuration to /etc/cni/net.d.`,
        "With cni none, install one (docs/cni.md#your-own). Otherwise, check the DaemonSet of the cluster's CNI: kubectl -n kube-system get daemonsets",
    );
    const notReady = critical(
        "node-not-ready",
        `The node ${name} is not Ready: ${problem.replace(/\.$/, "")}.`,
        `Check that its machine is running and reaches the API, then ${onMachine(facts, name, "journalctl -u kubelet -n 50")}`,
    );
    return [...(isReady ? [] : [isWithoutCni(problem) ? withoutCni : notReady]), ...(isCordoned ? [cordoned] : [])];
}

export function judgeMachines(facts: ClusterFacts): Finding[] {
    return [
        ...withoutMachine(facts).map((name) =>
            critical(
                "machine-missing",
                `The machine ${name} of the stack does not exist.`,
                `${startOf(facts)} recreates it; if the stack's state still has it, that says what to do.`,
            ),
        ),
        ...(ifKnown(facts.machines) ?? []).flatMap((machine) => [
            ...judgeMachine(machine, facts),
            ...judgeManifests(machine, facts),
        ]),
    ];
}

/** The kubelet runs every file there. Two pods of one name displace each other. */
function judgeManifests({ name, inside }: MachineFacts, facts: ClusterFacts): Finding[] {
    return (ifKnown(inside)?.strayManifests ?? []).map((file) => {
        const [path = file] = file.split(" ");
        return warning(
            "stray-manifest",
            `The machine ${name} has a static pod that is not the stack's: ${file}. It may displace one of the same name.`,
            `If you did not mean it to run, move it elsewhere: ${onMachine(facts, name, `mv ${path} /root/`)}`,
        );
    });
}

function judgeMachine({ name, state, inside }: MachineFacts, facts: ClusterFacts): Finding[] {
    if (state === "unreached" && "unknown" in inside) {
        // A firewall may block SSH; other findings cover the machine's health.
        return [warning("machine-unreached", `This machine cannot reach a controller over SSH: ${inside.unknown}.`)];
    }
    if (state !== "running") {
        return [
            critical(
                "machine-off",
                `The machine ${name} is ${state}.`,
                state === "paused" ? `docker unpause ${containerName(facts.cluster, name)}` : startOf(facts),
            ),
        ];
    }
    if ("unknown" in inside) {
        return [
            critical(
                "machine-silent",
                `The machine ${name} is running but does not answer: ${inside.unknown}.`,
                `docker restart ${containerName(facts.cluster, name)}; its console: docker logs ${containerName(facts.cluster, name)}`,
            ),
        ];
    }
    const { kubelet, containerd } = inside.value;
    return [
        ...(containerd === "active"
            ? []
            : [
                  critical(
                      "containerd-down",
                      `containerd on ${name} is ${containerd}${lastWords(facts, name, "containerd")}.`,
                      restarted("containerd", name, facts),
                  ),
              ]),
        ...(kubelet === "ok"
            ? []
            : [
                  critical(
                      "kubelet-down",
                      `The kubelet on ${name} is unhealthy: ${kubelet}${lastWords(facts, name, "kubelet")}.`,
                      restarted("kubelet", name, facts),
                  ),
              ]),
    ];
}

function restarted(unit: string, name: string, facts: ClusterFacts): string {
    const restart = onMachine(facts, name, `systemctl restart ${unit}`);
    return `${restart}; if it does not stay up: ${onMachine(facts, name, `journalctl -u ${unit} -n 50`)}`;
}
