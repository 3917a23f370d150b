import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "../../artifacts/programs";
import { logCollector, logCollectorConfig } from "../../cluster/manifests/addons/log-collector";
import { LogServer } from "../log-server";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { EtcdAuthority } from "./etcd-join/certificates";

const headers = { Authorization: "Basic dTpw: $x ${y} #z", "X-Scope-OrgID": "0123" };
const sentHeaders = { authorization: headers.Authorization, tenant: headers["X-Scope-OrgID"] };
const noHeaders = { authorization: undefined, tenant: undefined };
const pod = "kube-apiserver-4fl4f";

/** The collector that a cluster runs, on files of this machine. */
class Collector {
    readonly folder = mkdtempSync(join(tmpdir(), "tradewind-logs-"));
    #process?: ChildProcess;
    output = "";

    constructor(
        public options: { readonly protocol: string; readonly url: string; readonly ca?: string },
        readonly queueBytes?: number,
    ) {
        for (const each of [
            "state",
            "audit",
            `pods/kube-system_${pod}_1c7b0e4a-6a5e-4a0f-9a53-0a8c3c6a4f10/kube-apiserver`,
        ]) {
            mkdirSync(join(this.folder, each), { recursive: true });
        }
    }

    get log(): string {
        return join(this.folder, `pods/kube-system_${pod}_1c7b0e4a-6a5e-4a0f-9a53-0a8c3c6a4f10/kube-apiserver/0.log`);
    }

    get auditLog(): string {
        return join(this.folder, `audit/${pod}.log`);
    }

    start(): void {
        const cluster = fixedCluster({ logs: this.options });
        const isPrivate = this.options.url.startsWith("https:");
        const here = {
            "/var/lib/tradewind/log-collector": "state",
            "/var/log/pods": "pods",
            "/var/log/kubernetes/audit": "audit",
        };
        let text = JSON.stringify(logCollectorConfig(cluster, isPrivate ? headers : {}));
        for (const [path, own] of Object.entries(here)) text = text.replaceAll(path, join(this.folder, own));
        if (this.queueBytes) text = text.replace(/"queue_size":\d+/, `"queue_size":${this.queueBytes}`);
        writeFileSync(join(this.folder, "config.json"), text);
        const { spec } = logCollector(cluster).find(({ kind }) => kind === "DaemonSet") as never as {
            spec: { template: { spec: { containers: { command: string[] }[] } } };
        };
        const [, , ...args] = spec.template.spec.containers[0]!.command;
        this.#process = spawn(
            programPath("otelcol-contrib"),
            [`--config=${join(this.folder, "config.json")}`, ...args],
            { env: { NODE_NAME: "c-controller-0" }, stdio: ["ignore", "ignore", "pipe"] },
        );
        this.#process.stderr!.on("data", (data) => {
            this.output += data;
        });
    }

    async end(signal: NodeJS.Signals): Promise<void> {
        const running = this.#process;
        this.#process = undefined;
        if (running === undefined || running.exitCode !== null) return;
        const exit = once(running, "exit");
        running.kill(signal);
        await exit;
    }

    async remove(): Promise<void> {
        await this.end("SIGKILL");
        rmSync(this.folder, { recursive: true });
    }
}

async function eventually(what: string, check: () => void, seconds = 30): Promise<void> {
    for (const end = Date.now() + seconds * 1000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
        try {
            return check();
        } catch (error) {
            if (Date.now() > end) throw new Error(`waited for ${what}: ${(error as Error).message}`);
        }
    }
}

let time = Date.parse("2026-01-02T03:04:05.678Z");
const next = () => {
    time += 1;
    return new Date(time).toISOString();
};
const line = (text: string) => `${next().replace("Z", "123456Z")} stderr F ${text}\n`;
const entry = (id: string) =>
    `${JSON.stringify({ auditID: id, userAgent: '"stageTimestamp":"x"', stageTimestamp: next().replace("Z", "000Z") })}\n`;

for (const [protocol, scheme] of [
    ["otlp", "https"],
    ["syslog", "tls"],
    ["otlp", "http"],
    ["syslog", "tcp"],
] as const) {
    describe(`logs that are sent by ${protocol} to a ${scheme}:// URL`, function () {
        this.timeout(120_000);
        const authority = new EtcdAuthority();
        const isPrivate = scheme === "https" || scheme === "tls";
        const { cert, key } = authority.issue("logs", { dnsNames: [], ipAddresses: ["127.0.0.1"] });
        const server = new LogServer({ protocol, ...(isPrivate && { tls: { cert, key } }) });
        let collector: Collector;
        const sent: string[] = [];

        const write = (count: number) => {
            for (let each = 0; each < count; each++) {
                const text = `I0102  line ${String(sent.length).padStart(4, "0")} of "many" [x] é,  `;
                appendFileSync(collector.log, line(text));
                sent.push(text);
            }
        };
        const bodies = () => server.records.map(({ body }) => body).filter((body) => body.startsWith("I0102"));
        // Files are read at the same time, so that lines of a rotated one may come later.
        const arrive = () => eventually("every line once", () => assert.deepEqual(bodies().sort(), [...sent].sort()));

        before(async () => {
            await server.start();
            const path = protocol === "otlp" ? "/otlp" : "";
            const url = `${scheme}://127.0.0.1:${server.port}${path}`;
            collector = new Collector({ protocol, url, ...(isPrivate && { ca: authority.ca }) });
        });
        after(async () => {
            await collector.remove();
            await server.stop();
            authority.remove();
        });

        it("have their labels and times, and are as they were written", async () => {
            const from = time;
            write(3);
            appendFileSync(collector.auditLog, entry("1"));
            collector.start();
            await arrive();
            await eventually("the audit log", () =>
                assert(server.records.some(({ body }) => body.includes("auditID"))),
            );
            const first = server.records.find(({ body }) => body === sent[0])!;
            const labels = {
                "k8s.cluster.name": "c",
                "k8s.namespace.name": "kube-system",
                "k8s.node.name": "c-controller-0",
                "k8s.pod.name": pod,
            };
            const common = (record: typeof first) =>
                Object.fromEntries(Object.keys(labels).map((label) => [label, record.resource[label]]));
            assert.deepEqual(common(first), labels);
            assert.equal(first.resource["k8s.container.name"], "kube-apiserver");
            assert.equal(new Date(first.time).toISOString(), new Date(from + 1).toISOString());
            const audit = server.records.find(({ body }) => body.includes("auditID"))!;
            assert.deepEqual(common(audit), labels);
            assert.equal(audit.resource["k8s.container.name"], "audit-log");
            assert.equal(
                new Date(audit.time).toISOString(),
                JSON.parse(audit.body).stageTimestamp.replace("000Z", "Z"),
            );
            if (protocol === "otlp") {
                assert.equal(first.resource["service.name"], "kube-apiserver");
                assert.equal(audit.resource["service.name"], "audit-log");
                const { authorization, "x-scope-orgid": tenant } = server.headers;
                assert.deepEqual({ authorization, tenant }, isPrivate ? sentHeaders : noHeaders);
                assert.deepEqual(first.attributes, { "log.iostream": "stderr", logtag: "F" });
            }
        });

        it("are read on after a rotation", async () => {
            write(2);
            renameSync(collector.log, `${collector.log}.20260102-030405`);
            write(2);
            renameSync(collector.auditLog, collector.auditLog.replace(".log", "-2026-01-02T03-04-05.000.log"));
            appendFileSync(collector.auditLog, entry("2"));
            await arrive();
            await eventually("the audit log", () =>
                assert.deepEqual(
                    server.records.flatMap(({ body }) => (body.includes("auditID") ? [JSON.parse(body).auditID] : [])),
                    ["1", "2"],
                ),
            );
        });

        it("arrive once, after a stop of the collector", async () => {
            await collector.end("SIGTERM");
            write(2);
            collector.start();
            await arrive();
        });

        it("wait on disk while the server does not answer, also through a crash of the collector", async () => {
            await server.stop();
            write(150);
            await eventually("a failed attempt", () => assert.match(collector.output, /Exporting failed/));
            await collector.end("SIGKILL");
            write(50);
            collector.start();
            await server.start();
            await arrive();
        });
    });
}

describe("logs for a server with another protocol", function () {
    this.timeout(120_000);

    it("go on from where they were", async () => {
        const [first, second] = [new LogServer({ protocol: "otlp" }), new LogServer({ protocol: "syslog" })];
        for (const each of [first, second]) await each.start();
        const collector = new Collector({ protocol: "otlp", url: `http://127.0.0.1:${first.port}` });
        try {
            for (const [server, text] of [
                [first, "to the first"],
                [second, "to the second"],
            ] as const) {
                appendFileSync(collector.log, line(text));
                collector.start();
                await eventually(text, () =>
                    assert.deepEqual(
                        server.records.map(({ body }) => body),
                        [text],
                    ),
                );
                await collector.end("SIGTERM");
                collector.options = { protocol: "syslog", url: `tcp://127.0.0.1:${second.port}` };
            }
        } finally {
            await collector.remove();
            for (const each of [first, second]) await each.stop();
        }
    });
});

describe("logs while the queue is full", function () {
    this.timeout(120_000);
    const queueBytes = 2 ** 20;
    const server = new LogServer({ protocol: "otlp" });
    let collector: Collector;
    const size = () =>
        Number(
            execFileSync("du", ["-sb", join(collector.folder, "state")])
                .toString()
                .split("\t")[0],
        );

    beforeEach(async () => {
        await server.start();
        await server.stop();
        server.records.length = 0;
        collector = new Collector({ protocol: "otlp", url: `http://127.0.0.1:${server.port}` }, queueBytes);
    });
    afterEach(async () => {
        await collector.remove();
        await server.stop();
    });

    // While it shuts down, the collector drops what it could not queue: one batch of each file.
    for (const [signal, lost] of [
        ["SIGKILL", 0],
        ["SIGTERM", 100],
    ] as const) {
        it(`stay in their files, except ${lost} if the collector gets ${signal}`, async () => {
            const sent = Array.from({ length: 8_000 }, (_, index) => `${index} ${"x".repeat(1_000)}`);
            appendFileSync(collector.log, sent.map(line).join(""));
            collector.start();
            await eventually("a full queue", () => assert(size() > queueBytes));
            await eventually("a failed attempt", () => assert.match(collector.output, /Exporting failed/));
            assert(size() < 5 * queueBytes, `${size()} bytes on disk`);
            await collector.end(signal);
            await server.start();
            collector.start();
            await eventually("the last line", () => assert(server.records.some(({ body }) => body === sent.at(-1))));
            const found = new Set(server.records.map(({ body }) => body));
            const missing = sent.filter((each) => !found.has(each)).length;
            assert(missing <= lost, `${missing} lines are missing`);
        });
    }
});
