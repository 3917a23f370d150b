import assert from "node:assert/strict";
import { EtcdAuthority } from "../../engine/etcd-join/certificates";
import { LogServer } from "../../log-server";
import type { LogRecord } from "../../log-server/otlp";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const state = "/var/lib/tradewind/log-collector";
const token = "Bearer a$b {c} #d";

/** Containers that every controller has, each of which has written something. */
const components = [
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "etcd",
    "kube-proxy",
    "checkpointer",
];

/** Not as an argument of its own: the CA begins with a dash. */
const set = (path: string, value: string, kind: "--plaintext" | "--secret" = "--plaintext") =>
    shared.pulumi("config", "set-all", "--path", kind, `tradewind:${path}=${value}`);
const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const collector = "daemonset/log-collector";
const objects = () => shared.kubectl("get", "daemonsets,secrets,pods", "-n", "kube-system", "-o", "name");

/** Number of lines by what they consist of: the container, its pod and the text with its time. */
type Lines = ReadonlyMap<string, number>;

function tally(lines: readonly string[]): Lines {
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
}

const lineOf = (pod: string, container: string, time: string, text: string) =>
    `${pod} ${container} ${new Date(time).getTime()} ${text}`;

/** What the controller's files have now. */
async function written(): Promise<Lines> {
    const pods = await shared.exec(
        controller,
        'cd /var/log/pods; for f in kube-system_*/*/*.log*; do case $f in *_log-collector-*|*.gz) ;; *) sed "s|^|$f |" "$f";; esac; done',
    );
    const audit = await shared.exec(controller, "cat /var/log/kubernetes/audit/*.log");
    const ofPods = pods.split("\n").flatMap((line) => {
        const [, pod, container, time, text] =
            /^kube-system_([^_]+)_[^/]+\/([^/]+)\/\S+ (\S+) std(?:out|err) F (.*)$/.exec(line) ?? [];
        return pod ? [lineOf(pod, container!, time!, text!)] : [];
    });
    const ofAudit = audit.split("\n").flatMap((line) => {
        if (!line.endsWith("}")) return [];
        return [lineOf("", "audit-log", JSON.parse(line).stageTimestamp, line)];
    });
    return tally([...ofPods, ...ofAudit]);
}

const received = (records: readonly LogRecord[]): Lines =>
    tally(
        records.map(({ resource, time, body }) => {
            const container = resource["k8s.container.name"]!;
            const pod = container === "audit-log" ? "" : resource["k8s.pod.name"]!;
            return lineOf(pod, container, new Date(time).toISOString(), body);
        }),
    );

/** Waits until everything that has been written so far, except what was written earlier, was received, once. */
async function everythingOnce(server: LogServer, earlier: Lines = new Map()): Promise<void> {
    const expected = new Map([...(await written())].filter(([line]) => !earlier.has(line)));
    assert.ok(expected.size > 0);
    await eventually(
        "every line once",
        async () => {
            const found = received(server.records);
            const wrong = [...expected].flatMap(([line, count]) =>
                (found.get(line) ?? 0) === count ? [] : [`${found.get(line) ?? 0} times instead of ${count}: ${line}`],
            );
            assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} of ${expected.size} lines`);
        },
        120,
    );
    console.log(`      ${expected.size} lines`);
}

/** Has the API, the scheduler and controllers write something. */
async function activity(name: string): Promise<void> {
    await shared.kubectl("create", "deployment", name, "--image=registry.k8s.io/pause:none", "--replicas=3");
    await shared.kubectl("delete", "deployment", name);
}

describe("logs that are sent to a server", function () {
    this.timeout(900_000);
    const authority = new EtcdAuthority();
    const servers: LogServer[] = [];
    let host: string;

    const startServer = async (protocol: "otlp" | "syslog") => {
        const { cert, key } = authority.issue("logs", { dnsNames: [], ipAddresses: [host] });
        const server = new LogServer({ protocol, tls: { cert, key }, address: "0.0.0.0" });
        servers.push(server);
        await server.start();
        return server;
    };

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        // The host's address, as seen by the machines.
        host = (await shared.exec(controller, "ip -4 route show default")).split(" ")[2]!;
    });
    after(async () => {
        for (const each of servers) await each.stop();
        authority.remove();
        for (const key of ["logs", "logHeaders"])
            await shared.pulumi("config", "rm", `tradewind:${key}`).catch(() => {});
        await shared.exec(controller, `rm -rf ${state}`);
    });

    itLong("are those of all components and the audit log, with their labels", async () => {
        const server = await startServer("otlp");
        await set("logs.protocol", "otlp");
        await set("logs.url", `https://${host}:${server.port}/otlp`);
        await set("logs.ca", authority.ca);
        await set("logHeaders.Authorization", token, "--secret");
        await up();
        await everythingOnce(server);
        assert.equal(server.headers.authorization, token);
        const containers = new Set(server.records.map(({ resource }) => resource["k8s.container.name"]));
        for (const each of [...components, "audit-log"])
            assert.ok(containers.has(each), `${each} of ${[...containers]}`);
        const labels = ["cluster", "node", "namespace"].map((label) => [
            ...new Set(server.records.map(({ resource }) => resource[`k8s.${label}.name`])),
        ]);
        assert.deepEqual(labels, [[shared.name], [controller], ["kube-system"]]);
        const secrets = await shared.kubectl(
            "get",
            "pods",
            "-n",
            "kube-system",
            "-o",
            "yaml",
            "-l",
            "k8s-app=log-collector",
        );
        assert.ok(!secrets.includes(token));
    });

    itLong("arrive once when the collector's pod is replaced", async () => {
        const [server] = servers;
        await activity("before");
        await shared.kubectl("delete", "pod", "-n", "kube-system", "-l", "k8s-app=log-collector");
        await activity("after");
        await shared.kubectl("rollout", "status", collector, "-n", "kube-system", "--timeout=60s");
        await everythingOnce(server!);
    });

    itLong("arrive once after the server was down, and the collector was replaced meanwhile", async () => {
        const [server] = servers;
        await server!.stop();
        await activity("down");
        await eventually("a failed attempt", async () => {
            const output = await shared.kubectl("logs", "-n", "kube-system", collector, "--tail=50");
            assert.match(output, /Exporting failed/);
        });
        await shared.kubectl("delete", "pod", "-n", "kube-system", "-l", "k8s-app=log-collector");
        await activity("still-down");
        await server!.start();
        await everythingOnce(server!);
    });

    itLong("can go to another server by syslog, from where they were", async () => {
        const [first] = servers;
        const server = await startServer("syslog");
        await shared.pulumi("config", "rm", "tradewind:logHeaders");
        await set("logs.protocol", "syslog");
        await set("logs.url", `tls://${host}:${server.port}`);
        await up();
        const earlier = await written();
        await activity("syslog");
        await everythingOnce(server, earlier);
        // What waits in the queue of the former protocol is not sent, but nothing is sent to both.
        const atFirst = received(first!.records);
        const again = [...received(server.records).keys()].filter((line) => atFirst.has(line));
        assert.deepEqual(again, []);
    });

    itLong("stay on the nodes, and nothing else is left, once the option is removed", async () => {
        assert.match(await objects(), /log-collector/);
        await shared.pulumi("config", "rm", "tradewind:logs");
        await up();
        await eventually("no object of the collector", async () =>
            assert.doesNotMatch(await objects(), /log-collector/),
        );
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
