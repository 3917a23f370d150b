import { statusAnnotation } from "../../../agents/checkpointer/plan";
import { credentialsOf } from "../../../clients/kubernetes/kubeconfig";
import type { ClusterAccess, ReachedCluster } from "../../reach/cluster";
import {
    type CertificateFacts,
    type CheckpointFacts,
    type ClusterFacts,
    type ControllerFacts,
    type Fact,
    ifKnown,
    known,
    LEADER_ELECTED,
    type LeaderFacts,
    type NodeFacts,
    type PodFacts,
    unknown,
} from "../facts";
import { type ApiAnswers, endOf, kubeconfigCertificates, readObservation, writeObservation } from "./api";
import { Hosts } from "./hosts";
import { readLaunches } from "./launches";
import { askControllers, askMachines, type Machines } from "./machines";
import { annotatedCheckpoints, checkpointFacts, checkpointReports, leaderFacts, nodeFacts } from "./nodes";
import { machinePods, podFacts } from "./pods";
import { controllerCertificates, controllerFacts, type Host } from "./probes";
import { type Reached, reachApi } from "./reach";
import { shortPools } from "./short-pools";

/**
 * Collects everything about a cluster in parallel. Always finishes within about five seconds.
 *
 * @param controllers - addresses, for a cluster whose API is down and that was not observed before
 */
export async function collect(
    { access: cluster, machines: own, launchesOf }: Pick<ReachedCluster, "access" | "machines" | "launchesOf">,
    controllers: readonly string[] = [],
): Promise<ClusterFacts> {
    const { connection, local, notes } = cluster;
    // Those of a cloud are queried over SSH.
    const cloud = local === undefined ? own : undefined;
    const credentials = connection ? credentialsOf(connection) : {};
    const lastObservation = readObservation(notes);
    const hosts = new Hosts(credentials);
    // First, because it takes the longest.
    const machinesAsked =
        local !== undefined
            ? askLocal(local, hosts)
            : cloud &&
              askControllers(cloud, lastObservation?.controllers ?? [], (machines) => hosts.addControllers(machines));
    // Always, not only once the API turns out to be down: waiting for that would take too long.
    hosts.addControllers(lastObservation?.controllers ?? []);
    hosts.addControllers(controllers.map((address) => ({ name: address, address })));
    const reached = connection
        ? await reachApi(connection.server, credentials, hosts, machinesAsked)
        : notReached(cluster);
    // The cluster's time: ages must not depend on the local clock.
    const now = Date.now() - 1000 * (reached.api.clockAheadSeconds ?? 0);
    const nodes = mapFact(reached.answers, ({ nodes, conditions, joined }) =>
        nodes.map((node): NodeFacts => {
            const own = conditions[node.metadata.name] ?? [];
            const isJoined = joined.includes(node.metadata.name);
            return { ...nodeFacts(node), ...(own.length > 0 && { conditions: own }), ...(isJoined && { isJoined }) };
        }),
    );
    const unprobedWorkers = followNodes(hosts, nodes);
    const workloads = mapFact(reached.answers, (answers) => answers.workloads);
    const { pools, poolSizes } = ifKnown(reached.answers) ?? {};
    const short = shortPools({ nodes, workloads, poolSizes });
    const [probes, workers, machines, launches, etcd, admission, requests, objects, ending, stranded] =
        await Promise.all([
            hosts.controllers(),
            hosts.workers(),
            machinesAsked,
            launchesOf && short.length > 0
                ? readLaunches(
                      short.map(({ name }) => name),
                      launchesOf,
                  )
                : undefined,
            reached.etcd,
            reached.admission,
            reached.requests,
            reached.objects,
            reached.ending,
            reached.stranded,
        ]);
    const asked = probes.map(({ host, probe }) => controllerFacts(host, probe));
    if ("value" in nodes) {
        writeObservation(notes, { at: new Date(now).toISOString(), controllers: controllersOf(nodes.value) });
    }
    return {
        cluster: cluster.name,
        isLocal: local !== undefined,
        at: new Date().toISOString(),
        api: reached.api,
        controllers: asked,
        nodes,
        pods: podsOf(reached.answers, machines, asked, now),
        leaders: mapFact(reached.answers, (answers) => leadersOf(answers, now)),
        etcd: "value" in etcd ? etcd : (machines?.etcd ?? etcd),
        admission,
        requests,
        objects,
        ending,
        stranded,
        checkpoints: checkpointsOf(reached.answers, machines),
        ...("value" in reached.answers && { checkpointReports: checkpointReports(reached.answers.value.nodes, now) }),
        snapshot: "value" in reached.answers ? reached.answers.value.snapshot : reached.answers,
        workloads,
        certificates: [
            ...(connection ? kubeconfigCertificates(connection) : []),
            { name: "kube-apiserver", notAfter: reached.notAfter, isVerified: true },
            ...probes.flatMap(({ host, probe }) => controllerCertificates(host, probe)),
            ...workers,
            ...machineCertificates(machines),
        ],
        ...(unprobedWorkers > 0 && { unprobedWorkers }),
        machines: machines?.machines,
        named: [
            ...new Set([
                ...(cloud ? Object.keys((await cloud.record()).machines) : []),
                ...("value" in reached.answers ? reached.answers.value.named : []),
            ]),
        ],
        ...("value" in reached.answers && { pools, poolSizes, upgrade: reached.answers.value.upgrade }),
        ...("value" in reached.answers && { candidates: reached.answers.value.candidates }),
        ...("value" in reached.answers && { repairs: reached.answers.value.repairs }),
        ...(short.length > 0 && { shortPools: short }),
        ...(launches && { launches }),
        lastSeen: "value" in nodes ? undefined : lastObservation?.at,
    };
}

/** Controllers are recognized by their machine names, which the cluster's model defines. */
function askLocal(cluster: string, hosts: Hosts): Promise<Machines> {
    return askMachines(cluster, (machines) =>
        hosts.addControllers(machines.filter(({ name }) => name.startsWith(`${cluster}-controller-`))),
    );
}

/** Without an API nothing is known of these, and its finding is enough. */
const nothing = {
    objects: Promise.resolve(undefined),
    ending: Promise.resolve(undefined),
    stranded: Promise.resolve(undefined),
};

function notReached({ kubeconfig }: ClusterAccess): Reached {
    const why = `${kubeconfig} does not exist yet: npm start has not finished`;
    return {
        api: { url: "unknown", serving: unknown(why) },
        answers: unknown(why),
        etcd: Promise.resolve(unknown(why)),
        admission: Promise.resolve(unknown(why)),
        requests: Promise.resolve(unknown(why)),
        ...nothing,
        notAfter: unknown(why),
    };
}

/** The API's nodes are the hosts to probe. @returns how many workers are not probed */
function followNodes(hosts: Hosts, nodes: Fact<readonly NodeFacts[]>): number {
    if ("unknown" in nodes) {
        return 0;
    }
    const others = nodes.value.flatMap(({ name, address, isController, isArbiter = false }) =>
        address === undefined || isController ? [] : [{ name, address, isArbiter }],
    );
    hosts.setControllers(controllersOf(nodes.value));
    // The first one is always probed.
    return hosts.addWorkers(others.sort((one, other) => Number(other.isArbiter) - Number(one.isArbiter)));
}

function controllersOf(nodes: readonly NodeFacts[]): Host[] {
    return nodes
        .filter(({ isController }) => isController)
        .flatMap(({ name, address }) => (address === undefined ? [] : [{ name, address }]));
}

/** Without the API: what runs on the controllers whose machines answer. */
function podsOf(
    answers: Fact<ApiAnswers>,
    machines: Machines | undefined,
    controllers: readonly ControllerFacts[],
    now: number,
): Fact<readonly PodFacts[]> {
    if ("value" in answers || machines === undefined) {
        return mapFact(answers, ({ pods }) => pods.map((pod) => podFacts(pod, now)));
    }
    const reports = [...machines.reports].filter(([name]) =>
        controllers.some((controller) => controller.name === name),
    );
    return reports.length === 0 ? unknown("no controller answers") : known(machinePods(new Map(reports)));
}

/** Checkpoints as reported by the nodes, otherwise by the machines. */
function checkpointsOf(answers: Fact<ApiAnswers>, machines: Machines | undefined): Fact<readonly CheckpointFacts[]> {
    if ("value" in answers || machines === undefined) {
        return mapFact(answers, ({ nodes }) =>
            nodes.flatMap(({ metadata }) =>
                annotatedCheckpoints(metadata.name, metadata.annotations?.[statusAnnotation]),
            ),
        );
    }
    return known([...machines.reports].flatMap(([node, { checkpointer }]) => checkpointFacts(node, checkpointer)));
}

/** A component without a lease has no leader, which gets a line of its own. */
function leadersOf({ leases }: ApiAnswers, now: number): LeaderFacts[] {
    return LEADER_ELECTED.map((component) => {
        const lease = leases.find(({ metadata }) => metadata.name === component);
        return lease ? leaderFacts(lease, now) : { component, ageSeconds: 0, leaseSeconds: 0 };
    });
}

function machineCertificates(machines: Machines | undefined): CertificateFacts[] {
    return [...(machines?.reports ?? [])].flatMap(([node, { certificates }]) =>
        Object.entries(certificates).map(([name, pem]) => ({ name, node, notAfter: endOf(pem), isVerified: true })),
    );
}

function mapFact<A, B>(fact: Fact<A>, change: (value: A) => B): Fact<B> {
    return "value" in fact ? known(change(fact.value)) : fact;
}
