import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { programPath } from "../../artifacts/programs";
import { interval, prometheus, prometheusConfig } from "../../cluster/manifests/addons/prometheus";
import { alertRules } from "../../cluster/manifests/addons/prometheus/alerts";
import { counts, graphs, lists } from "../../cluster/manifests/addons/prometheus/panels";
import { freePort } from "../free-port";
import { fixedCluster, podSpecOf } from "../unit/components/in-cluster/fixture";

interface Sent {
    readonly url: string;
    readonly alerts: readonly {
        readonly labels: Record<string, string>;
        readonly annotations: Record<string, string>;
    }[];
}

/** What agents would serve. */
const metrics = `
tradewind_etcd_alarms{alarm="NOSPACE"} 1
tradewind_node_in_desired_state 0
tradewind_certificate_end_timestamp_seconds{holder="pki",file="<i>ca.crt"} ${Math.floor(Date.now() / 1000) + 5 * 86_400}
node_memory_working_set_bytes 3.0e9
`;

async function serve(answer: (url: string, body: string) => string): Promise<{ server: Server; port: number }> {
    const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        response.setHeader("Content-Type", "text/plain");
        response.end(answer(request.url!, Buffer.concat(chunks).toString()));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { server, port: (server.address() as AddressInfo).port };
}

async function eventually<T>(what: string, check: () => Promise<T>, seconds = 30): Promise<T> {
    for (const end = Date.now() + seconds * 1000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
        try {
            return await check();
        } catch (error) {
            if (Date.now() > end) throw new Error(`waited for ${what}: ${(error as Error).message}`);
        }
    }
}

describe("Prometheus with the files of a cluster's", function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-prometheus-"));
    const sent: Sent[] = [];
    const servers: Server[] = [];
    let running: ChildProcess;
    let output = "";
    let base: string;

    const api = async <T>(path: string): Promise<T> => {
        const response = await fetch(`${base}/api/v1/${path}`);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        return JSON.parse(text).data;
    };

    before(async () => {
        const agents = await serve(() => metrics);
        const alertmanager = await serve((url, body) => {
            sent.push({ url, alerts: JSON.parse(body) });
            return "";
        });
        servers.push(agents.server, alertmanager.server);
        const cluster = fixedCluster({
            prometheus: { alertmanagers: [`http://127.0.0.1:${alertmanager.port}/team/`] },
        });
        const manifests = prometheus(cluster);
        const { data } = manifests.find(({ kind }) => kind === "ConfigMap") as never as {
            data: Record<string, string>;
        };
        const { containers, volumes } = podSpecOf(manifests.find(({ kind }) => kind === "Deployment")!)! as never as {
            containers: { command: string[] }[];
            volumes: { configMap?: { items: { key: string; path: string }[] } }[];
        };
        const own = (text: string) => text.replaceAll("/etc/prometheus", folder);
        for (const { key, path } of volumes[0]!.configMap!.items) {
            mkdirSync(dirname(join(folder, path)), { recursive: true });
            writeFileSync(join(folder, path), own(data[key]!).replaceAll(`"${interval}"`, '"1s"'));
        }
        const config = JSON.parse(readFileSync(join(folder, "prometheus.json"), "utf8"));
        config.scrape_configs.push({
            job_name: "agents",
            static_configs: [{ targets: [`127.0.0.1:${agents.port}`, "127.0.0.1:1"] }],
        });
        writeFileSync(join(folder, "prometheus.json"), JSON.stringify(config));
        const port = await freePort();
        base = `http://127.0.0.1:${port}`;
        const [, ...args] = containers[0]!.command.map((text) =>
            own(text).replace("=/prometheus", `=${folder}/data`).replace(":9090", `:${port}`),
        );
        running = spawn(programPath("prometheus"), args, { stdio: ["ignore", "ignore", "pipe"] });
        running.stderr!.on("data", (chunk) => {
            output += chunk;
        });
        await eventually("Prometheus", async () => {
            assert.equal(running.exitCode, null, output);
            assert.equal((await fetch(`${base}/-/ready`)).status, 200);
        });
    });
    after(async () => {
        if (running?.exitCode === null) {
            running.kill();
            await once(running, "exit");
        }
        for (const server of servers) server.close();
        rmSync(folder, { recursive: true });
    });

    it("accepts every alert", async () => {
        interface Group {
            readonly rules: readonly { readonly name: string; readonly health: string; readonly lastError?: string }[];
        }
        const expected = alertRules().groups.flatMap(({ rules }) => rules.map(({ alert }) => [alert, "ok", undefined]));
        await eventually("evaluated rules", async () => {
            const { groups } = await api<{ groups: Group[] }>("rules");
            const found = groups.flatMap(({ rules }) => rules.map((rule) => [rule.name, rule.health, rule.lastError]));
            assert.deepEqual(found.sort(), expected.sort());
        });
    });

    it("names the component of the control plane that it cannot scrape", async () => {
        const { alerts } = await api<{ alerts: Sent["alerts"] }>("alerts");
        const summaries = alerts.flatMap(({ labels, annotations }) =>
            labels.alertname === "TradewindControlPlaneMissing" ? [annotations.summary] : [],
        );
        const components = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];
        assert.deepEqual(
            summaries.sort(),
            components.map((each) => `No ${each} can be scraped: see tradewind status.`),
        );
    });

    it("has every job, and no more samples than its volume takes", async () => {
        const { yaml } = await api<{ yaml: string }>("status/config");
        const jobs = prometheusConfig(fixedCluster({ prometheus: {} })).scrape_configs;
        for (const { job_name } of jobs) assert.match(yaml, new RegExp(`job_name: ${job_name}$`, "m"));
        const flags = await api<{ storageRetention: string }>("status/runtimeinfo");
        assert.equal(flags.storageRetention, "15d or 7GiB512MiB");
    });

    it("sends alerts to the Alertmanagers, with the cluster's name", async () => {
        const alert = await eventually("an alert", async () => {
            const [found] = sent.flatMap(({ url, alerts }) =>
                alerts
                    .filter(({ labels }) => labels.alertname === "TradewindEtcdAlarm")
                    .map((each) => ({ url, ...each })),
            );
            assert.ok(found, output);
            return found;
        });
        assert.equal(alert.url, "/team/api/v2/alerts");
        const { alertname, alarm, cluster, severity } = alert.labels;
        assert.deepEqual([alertname, alarm, cluster, severity], ["TradewindEtcdAlarm", "NOSPACE", "c", "critical"]);
        assert.equal(alert.annotations.summary, "etcd raised NOSPACE: see docs/etcd.md.");
    });

    it("answers every query of the dashboard", async () => {
        for (const { queries } of [...counts, ...lists, ...graphs]) {
            for (const [query] of queries) await api(`query?${new URLSearchParams({ query })}`);
        }
    });

    const page = async () => {
        const response = await fetch(`${base}/consoles/index.html`);
        assert.equal(response.status, 200);
        return response.text();
    };

    it("fills the page with present values, and marks those that should be zero", async () => {
        await eventually("values", async () => {
            const text = await page();
            assert.match(text, /<p class="bad"><b>1<\/b> Targets that cannot be scraped<\/p>/);
            assert.match(text, /<p class="bad"><b>1<\/b> etcd alarms<\/p>/);
            assert.match(text, /<p class="bad"><b>3<\/b> Alerts<\/p>/);
            assert.match(text, /<p><b>0<\/b> Stale checkpoints<\/p>/);
            assert.match(text, /<td>5<\/td><td>127\.0\.0\.1:\d+<\/td><td>pki<\/td><td>&lt;i&gt;ca\.crt<\/td>/);
        });
    });

    it("draws the rest by the page's script", async () => {
        const text = await page();
        const figures = [...text.matchAll(/<figure data-queries='([^']+)'(?: data-unit="(\w+)")?>/g)].map(
            ([, quoted = "", unit]) => {
                const queries = quoted.replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
                return new Element("figure", { queries, unit });
            },
        );
        assert.equal(figures.length, graphs.length);
        const alerts = new Element("table");
        const script = /<script>([\s\S]*)<\/script>/.exec(text)![1]!;
        runInNewContext(script, {
            document: {
                querySelectorAll: () => figures,
                getElementById: () => alerts,
                createElementNS: (_: string, name: string) => new Element(name),
            },
            fetch: (path: string) => fetch(new URL(path, `${base}/consoles/index.html`)),
            location: { search: "?hours=1" },
            ...{ URLSearchParams, isFinite },
        });
        await eventually("all of it", async () => {
            assert.match(alerts.text, /firing\n.+\nTradewindEtcdAlarm\netcd raised NOSPACE/);
            const [memory] = figures.filter(({ dataset }) => dataset.queries?.includes("node_memory"));
            assert.match(memory!.text, /127\.0\.0\.1:\d+ 2\.79 GiB/);
            assert.match(memory!.children[0]!.children[0]!.attributes.points!, /^[\d.]+,8( [\d.]+,8)*$/);
            assert.equal(figures.filter(({ text }) => text.includes("no data")).length, graphs.length - 1);
        });
    });
});

/** As much of a browser's element as the script uses. */
class Element {
    textContent = "";
    readonly namespaceURI = "";
    readonly children: Element[] = [];
    readonly attributes: Record<string, string> = {};

    constructor(
        readonly name: string,
        readonly dataset: { readonly queries?: string; readonly unit?: string } = {},
    ) {}

    appendChild(child: Element): Element {
        this.children.push(child);
        return child;
    }

    setAttribute(name: string, value: string): void {
        this.attributes[name] = value;
    }

    get text(): string {
        return [this.textContent, ...this.children.map(({ text }) => text)].filter(Boolean).join("\n");
    }
}
