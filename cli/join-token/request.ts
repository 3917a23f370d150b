import { isIP } from "node:net";
import { type JoinedMachine, type JoinedMachines, readJoined, writeJoined } from "../../agents/nodes/approver/joined";
import { groupInstance } from "../../clients/aws/ec2-instances";
import { type Caller, list, remove } from "../../clients/kubernetes/api-client";
import { ApiError } from "../../clients/kubernetes/api-error";
import { internalAddresses } from "../../clients/kubernetes/nodes";
import type { ApiObject, Node } from "../../clients/kubernetes/objects";
import { apiserverNames, metricsProxyName, metricsServerName } from "../../cluster/keys/certificates";
import { bootstrapTokenSecret, randomToken } from "../../cluster/manifests/nodes/bootstrap-tokens";
import type { Cluster } from "../../cluster/model";
import { type Cidr, contains, parseCidr, parseCidr6 } from "../../cluster/network/cidr";
import { resolveCluster } from "../../cluster/resolve";
import { isDnsSubdomain } from "../../cluster/validate";
import { UsageError } from "../../command-line/parse";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";

const secrets = "/api/v1/namespaces/kube-system/secrets";

/** What a machine is to become. */
export interface JoinRequest {
    readonly node: string;
    readonly pool: string;
    readonly address: string;
    readonly address6?: string;
    /** Another IPv4 address that its kubelet's certificate may have. */
    readonly publicAddress?: string;
    readonly seconds: number;
}

/** A token that nothing has yet. */
export interface IssuedToken {
    readonly token: string;
    /** RFC 3339. */
    readonly expires: string;
    /** Whether an earlier token for the same name was revoked. */
    readonly isReplaced: boolean;
}

/** Throws if the stack does not allow a machine with this name, pool and addresses. */
export function checkRequest(request: JoinRequest, record: RecoveryRecord): void {
    const { node, pool, address, address6, publicAddress } = request;
    const cluster = resolveCluster(record.options);
    const { joining } = record;
    if (joining === undefined) {
        throw new Error(
            "the stack's state has no configs for other machines yet; run pulumi up with this release first",
        );
    }
    if (!isDnsSubdomain(node) || node.length > 63) {
        throw new UsageError(`NODE must be a DNS name of at most 63 characters in lower case (got ${node})`);
    }
    // Its kubelet gets a certificate for this name, of the same CA.
    const { dnsNames } = apiserverNames(cluster, []);
    if ([...dnsNames, metricsProxyName, metricsServerName].includes(node)) {
        throw new UsageError(`NODE must not be a name of the API or of metrics (got ${node})`);
    }
    if (cluster.controllers.names.includes(node)) {
        throw new UsageError(`${node} is a controller: only the stack creates those; change controllers.count instead`);
    }
    if (new RegExp(`^${cluster.name}-.+-[0-9]+$`).test(node) || groupInstance(node, instanceName)) {
        throw new UsageError(`${node} is a name that the stack or its cloud may give; choose another, such as rack-1`);
    }
    if (!Object.hasOwn(joining, pool)) {
        const pools = Object.keys(joining).sort();
        const isCandidates = cluster.workerPools.some(({ name }) => name === pool);
        const why = isCandidates ? "is of candidates, which only the stack creates" : "is no pool of workers";
        throw new UsageError(
            `--pool ${pool} ${why}; ${pools.length > 0 ? `pools are ${pools.join(", ")}` : "there are none"}`,
        );
    }
    const needs6 = cluster.network.podCidr6 !== undefined;
    for (const [option, given] of [
        ["--address", address],
        ["--public-address", publicAddress],
    ] as const) {
        if (given === undefined) continue;
        if (isIP(given) !== 4) throw new UsageError(`${option} must be an IPv4 address (got ${given})`);
        requireOwnAddress(option, parseCidr(option, `${given}/32`), notOfMachines, cluster);
    }
    if (needs6 !== (address6 !== undefined)) {
        throw new UsageError(
            needs6 ? "missing --address6: the cluster has IPv6" : "--address6 needs a cluster with IPv6",
        );
    }
    // A zone is no part of an address in a certificate.
    if (address6 !== undefined && (isIP(address6) !== 6 || address6.includes("%"))) {
        throw new UsageError(`--address6 must be an IPv6 address (got ${address6})`);
    }
    if (address6 !== undefined) {
        const block = asUsage(() => parseCidr6("--address6", `${canonical(address6)}/128`));
        requireOwnAddress("--address6", block, [], cluster);
    }
}

/** This network, loopback, multicast and reserved. */
const notOfMachines = ["0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3"].map((block) => parseCidr("", block));

/** Throws for an address that no machine may have: its kubelet would get a certificate for it. */
function requireOwnAddress(option: string, address: Cidr, others: readonly Cidr[], { network }: Cluster): void {
    const { podCidr, serviceCidr, podCidr6, serviceCidr6 } = network;
    const taken = [podCidr, serviceCidr, podCidr6, serviceCidr6, ...others].filter((each) => each !== undefined);
    // Blocks of the other family have other numbers: those of IPv4 are below 2^32.
    const found = taken.find((each) => contains(each, address));
    if (found) throw new UsageError(`${option} must not be in ${found.text} (got ${address.text.split("/")[0]})`);
}

function asUsage<T>(read: () => T): T {
    try {
        return read();
    } catch (error) {
        throw new UsageError((error as Error).message);
    }
}

/** Names of instances of Auto Scaling groups, in any region. */
const instanceName = "^i-[0-9a-f]{8,17}([.].+)?$";

/**
 * Lets a machine join, for a while and once. An earlier token for the name ends.
 *
 * @param taken - addresses of the stack's machines by name
 * @throws if the name or an address is taken
 */
export async function issueToken(
    api: Caller,
    request: JoinRequest,
    taken: Readonly<Record<string, string>>,
    now = Date.now(),
): Promise<IssuedToken> {
    const { node, pool, seconds } = request;
    const token = randomToken();
    const expires = new Date(now + seconds * 1000).toISOString();
    const body = bootstrapTokenSecret({ pool, node }, token, { expiration: expires });
    await requireClock(api, body, now);
    const earlier = await onCurrent(async () => {
        const { machines, resourceVersion } = await readJoined(api);
        const addresses = await freeAddresses(api, request, taken, machines);
        const machine = { pool, addresses, token: token.split(".")[0]!, expires };
        await writeJoined(api, { [node]: machine }, resourceVersion);
        return machines[node];
    });
    if (earlier !== undefined) await removeToken(api, earlier);
    await api.call(secrets, { method: "POST", body });
    // The next one does it otherwise: this token must not be lost.
    await removeUseless(api, now).catch(() => undefined);
    return { token, expires, isReplaced: earlier !== undefined && now < Date.parse(earlier.expires) };
}

/** How far this machine's clock may be from the cluster's, which ends the token. Unit: seconds. */
const mostSkew = 60;

/** Throws if a token would end at another time than it should. */
async function requireClock(api: Caller, secret: object, now: number): Promise<void> {
    const { metadata } = await api.call<ApiObject>(`${secrets}?dryRun=All`, { method: "POST", body: secret });
    const seconds = (now - Date.parse(metadata.creationTimestamp ?? "")) / 1000;
    if (!(Math.abs(seconds) > mostSkew)) return;
    const minutes = Math.max(1, Math.round(Math.abs(seconds) / 60));
    throw new Error(
        `the clock of this machine is ${minutes} min ${seconds > 0 ? "ahead of" : "behind"} the cluster's, and the token would expire at another time; set it first`,
    );
}

/** Repeats what fails because something else has written the record since it was read. */
async function onCurrent<T>(act: () => Promise<T>): Promise<T> {
    for (let left = 10; ; left--) {
        try {
            return await act();
        } catch (error) {
            if (left === 0 || !(error instanceof ApiError && error.status === 409)) throw error;
        }
    }
}

/** The machine's addresses. @throws if one of them, or its name, is taken */
async function freeAddresses(
    api: Caller,
    { node, address, address6, publicAddress }: JoinRequest,
    taken: Readonly<Record<string, string>>,
    machines: JoinedMachines,
): Promise<string[]> {
    const addresses = [address, ...(address6 ? [canonical(address6)] : []), ...(publicAddress ? [publicAddress] : [])];
    const nodes = await list<Node>(api, "/api/v1/nodes?limit=500");
    if (machines[node]?.joined !== undefined)
        throw new Error(`${node} has joined already; tradewind reset ${node} removes it`);
    if (nodes.some(({ metadata }) => metadata.name === node)) throw new Error(`there is a Node ${node} already`);
    const others = [
        ...Object.entries(taken).map(([name, each]) => [name, [each]] as const),
        ...nodes.map((each) => [each.metadata.name, internalAddresses(each)] as const),
        ...Object.entries(machines).map(([name, each]) => [name, each.addresses] as const),
    ];
    const [holder] = others.find(([name, own]) => name !== node && own.some((each) => addresses.includes(each))) ?? [];
    if (holder !== undefined) throw new Error(`${addresses.join(" or ")} is an address of ${holder}`);
    return addresses;
}

/** Ends a token that no machine has used. */
export async function revoke(api: Caller, node: string): Promise<void> {
    const revoked = await onCurrent(async () => {
        const { machines, resourceVersion } = await readJoined(api);
        const machine = Object.hasOwn(machines, node) ? machines[node]! : undefined;
        if (machine === undefined) throw new Error(`there is no token for ${node}; see tradewind join-token --list`);
        if (machine.joined !== undefined) {
            throw new Error(
                `${node} joined at ${machine.joined}, and its token is useless since; tradewind reset ${node} removes it`,
            );
        }
        // First the record: from here on, nothing approves its request.
        await writeJoined(api, { [node]: null }, resourceVersion);
        return machine;
    });
    await removeToken(api, revoked);
}

export function removeToken(api: Caller, { token }: JoinedMachine): Promise<boolean> {
    return remove(api, `${secrets}/bootstrap-token-${token}`);
}

/** Tokens that were used or expired, and names of machines that never joined. */
async function removeUseless(api: Caller, now: number): Promise<void> {
    const { machines, resourceVersion } = await readJoined(api);
    const useless = Object.entries(machines).filter(
        ([, { joined, expires }]) => joined !== undefined || Date.parse(expires) <= now,
    );
    const names = useless.flatMap(([node, { joined }]) => (joined === undefined ? [[node, null] as const] : []));
    if (names.length > 0) await writeJoined(api, Object.fromEntries(names), resourceVersion);
    for (const [, machine] of useless) await removeToken(api, machine);
}

/** IPv6 in its short form, as kubelets' certificates have it. */
function canonical(address6: string): string {
    return new URL(`http://[${address6}]`).hostname.slice(1, -1);
}
