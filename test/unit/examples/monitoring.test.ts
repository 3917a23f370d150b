import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { checkpointerMetrics } from "../../../agents/checkpointer/metrics";
import { keeperMetrics } from "../../../agents/etcd/keeper/metrics";
import { MetricsProxy } from "../../../agents/metrics-proxy/proxy";
import { nodeAgentMetrics } from "../../../agents/nodes/node-agent/metrics";
import { metricsProxyName } from "../../../cluster/keys/certificates";
import {
    accountRules,
    prometheusConfig,
    targetNamespaces,
    targetRules,
} from "../../../cluster/manifests/addons/prometheus";
import { metricsProxyPlan } from "../../../cluster/manifests/metrics-proxy";
import { ports } from "../../../cluster/network/ports";
import { resolveCluster } from "../../../cluster/resolve";

const root = resolve(__dirname, "../../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");
const monitoring = (file: string) => text(`examples/monitoring/${file}`);

interface Job {
    readonly job_name: string;
    readonly metrics_path?: string;
    readonly authorization?: object;
    readonly tls_config?: { readonly server_name?: string; readonly ca_file?: string };
    readonly relabel_configs: readonly { readonly replacement?: string }[];
}

const { scrape_configs: jobs }: { scrape_configs: Job[] } = parse(monitoring("prometheus.yml"));

/** Names of all metrics of the agents. */
const ours = [
    ...checkpointerMetrics({
        ...{ status: {}, current: new Map(), actions: new Map(), certificates: [] },
        idleSeconds: 0,
    }),
    ...keeperMetrics({ intervalSeconds: 1 }),
    ...nodeAgentMetrics({
        ...{ desired: "", isNodeDesired: true, state: "/", idleSeconds: 0 },
        failures: { kubelet: undefined, "cni-plugins": undefined, "container-runtime": undefined, reboot: undefined },
    }),
    ...new MetricsProxy({ sources: {}, listeners: undefined!, permission: undefined!, log: () => {} }).metrics(),
].map(({ name }) => name);

const used = (source: string) => [...new Set(source.match(/\btradewind_[a-z_]+/g))].sort();

const withoutProxy = resolveCluster({ name: "c", network: { cni: "none", kubeProxyMode: "none" }, prometheus: {} });

describe("the example of monitoring", () => {
    it("scrapes everything behind the metrics proxy", () => {
        const cluster = resolveCluster({ name: "c" });
        const sources = Object.keys(metricsProxyPlan(cluster, "controller").sources);
        const proxied = jobs.filter(({ tls_config }) => tls_config?.server_name === metricsProxyName);
        assert.deepEqual(proxied.map(({ job_name }) => job_name).sort(), [...sources, "metrics-proxy"].sort());
        for (const { job_name, metrics_path = "/metrics", relabel_configs, ...job } of proxied) {
            assert.equal(metrics_path, job_name === "metrics-proxy" ? "/metrics" : `/metrics/${job_name}`);
            assert.ok(job.tls_config?.ca_file && job.authorization, job_name);
            const addresses = relabel_configs.flatMap(({ replacement = [] }) => replacement);
            assert.deepEqual(addresses, [`$1:${ports.metricsProxy}`], job_name);
        }
    });

    it("does not scrape kube-proxy where it does not run", () => {
        const { scrape_configs } = prometheusConfig(withoutProxy);
        assert(!scrape_configs.some(({ job_name }) => job_name === "kube-proxy"));
        assert(!("kube-proxy" in metricsProxyPlan(withoutProxy, "worker").sources));
    });

    it("only uses metrics that agents have", () => {
        for (const file of ["rules.yml", "dashboard.json"]) {
            const names = used(monitoring(file));
            assert.ok(names.length > 5, file);
            assert.deepEqual(
                names.filter((name) => !ours.includes(name)),
                [],
                file,
            );
        }
    });

    it("has an account that may scrape", () => {
        const objects = parseAllDocuments(monitoring("account.yaml")).map((each) => each.toJS());
        const role = objects.find(({ kind }) => kind === "ClusterRole");
        assert.deepEqual(role.rules, accountRules);
        assert.deepEqual(accountRules[0], { nonResourceURLs: ["/metrics"], verbs: ["get"] });
        const roles = objects.filter(({ kind }) => kind === "Role");
        assert.deepEqual(
            roles.map(({ metadata }) => metadata.namespace),
            targetNamespaces,
        );
        for (const { rules } of roles) assert.deepEqual(rules, targetRules);
        const verbs = new Set([...accountRules, ...targetRules].flatMap((rule) => rule.verbs));
        assert.deepEqual([...verbs].sort(), ["get", "list", "watch"]);
    });
});

describe("the page on metrics", () => {
    it("lists every metric of the agents, and no other", () => {
        const page = text("docs/metrics.md");
        // "also `…_size_bytes`" stands for the metric of the same prefix.
        const endings = [...page.matchAll(/…(_[a-z_]+)/g)].map(([, ending]) => ending!);
        const isListed = (name: string) => used(page).includes(name) || endings.some((each) => name.endsWith(each));
        assert.deepEqual(
            ours.filter((name) => !isListed(name)),
            [],
        );
        assert.deepEqual(
            used(page).filter((name) => !ours.includes(name)),
            [],
        );
    });
});
