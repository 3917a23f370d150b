import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { ports } from "../../../cluster/network/ports";
import { eventually, readText } from "../cluster";
import { expectedJobs, type ScrapeTarget, scrapeTargets } from "../scrape-targets";
import { shared, sharedCluster } from "../shared";

const controller = "test-controller-0";
const worker = "test-default-0";
const examples = join(resolve(__dirname, "../../.."), "examples/monitoring");
const account = join(examples, "account.yaml");
const caFile = "/etc/kubernetes/pki/ca.crt";

/** Queries of the example's dashboard and alerts. */
function expressions(): string[] {
    const { panels }: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
        readText(join(examples, "dashboard.json")),
    );
    const { groups }: { groups: { rules: { expr: string }[] }[] } = parse(readText(join(examples, "rules.yml")));
    return [
        ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
        ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ];
}

describe("metrics", function () {
    this.timeout(120_000);
    let token: string;
    let targets: ScrapeTarget[];

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await shared.kubectl("apply", "-f", account);
        token = (await shared.kubectl("-n", "monitoring", "create", "token", "prometheus")).trim();
        targets = await scrapeTargets(shared);
    });
    after(async () => {
        await shared.kubectl("delete", "-f", account, "--wait=false");
    });

    /** Status and text of a target, as seen from a machine. */
    const scrape = async (
        { url, serverName, isVerified, hasToken }: Omit<ScrapeTarget, "job" | "instance">,
        { by = token, from = worker } = {},
    ) => {
        const { host, hostname, port } = new URL(url);
        const name = serverName ?? hostname;
        const tls = isVerified ? `--cacert ${caFile} --connect-to ${name}:${port}:${host}` : "--insecure";
        const header = hasToken ? `-H 'Authorization: Bearer ${by}'` : "";
        const asked = isVerified ? url.replace(hostname, name) : url;
        const output = await shared.exec(
            from,
            `curl -s -m 15 -w '\\n%{http_code}' ${tls} ${header} '${asked}' || true`,
        );
        const lines = output.trimEnd().split("\n");
        return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join("\n") };
    };
    const targetOf = (job: string) => targets.find((target) => target.job === job)!;

    it("of everything can be scraped by the example's account, from another node", async () => {
        const counts: Record<string, number> = {};
        for (const target of targets) {
            counts[target.job] = (counts[target.job] ?? 0) + 1;
            const { status, text } = await scrape(target);
            assert.equal(status, 200, `${target.job} on ${target.instance}: ${text.slice(0, 200)}`);
            assert.match(text, /^# TYPE \w+ (gauge|counter|histogram)$/m, target.job);
        }
        assert.deepEqual(counts, expectedJobs);
    });

    it("include every metric of the example's dashboard and alerts", async () => {
        const texts: string[] = [];
        for (const target of targets) texts.push((await scrape(target)).text);
        const served = new Set(texts.join("\n").match(/^\w+(?=[{ ])/gm));
        const names = new Set(expressions().flatMap((text) => text.match(/\b[a-z]+(_[a-z]+)+\b(?!\()/g) ?? []));
        assert.ok(names.size > 20, [...names].join(", "));
        assert.deepEqual(
            [...names].filter((name) => !served.has(name)),
            [],
        );
    });

    it("of the components themselves come from them", async () => {
        const own = {
            "kube-scheduler": /^scheduler_pending_pods\{/m,
            "kube-controller-manager": /^workqueue_depth\{/m,
            etcd: /^etcd_server_has_leader 1$/m,
            "kube-proxy": /^kubeproxy_sync_proxy_rules_duration_seconds_count/m,
            checkpointer: /^tradewind_checkpoint_current\{parent="kube-system\/kube-apiserver"\} 1$/m,
            "etcd-keeper": /^tradewind_etcd_member_healthy\{member="test-controller-0"\} 1$/m,
            "node-agent": /^tradewind_node_change_failed\{part="kubelet"\} 0$/m,
        };
        for (const [job, pattern] of Object.entries(own)) {
            // Other tests of this cluster change the control plane: a checkpoint is saved a moment later.
            await eventually(`metrics of ${job}`, async () => {
                assert.match((await scrape(targetOf(job))).text, pattern);
            });
        }
    });

    it("include when certificates expire", async () => {
        const { text } = await scrape(targetOf("checkpointer"));
        const ends = [...text.matchAll(/^tradewind_certificate_end_timestamp_seconds\{(.*)\} (\d+)$/gm)];
        const named = ends.map(([, labels]) => labels);
        for (const [holder, name] of [
            ["kube-apiserver", "apiserver.crt"],
            ["kube-scheduler", "kubeconfig"],
            ["pki", "etcd/member.crt"],
            ["kubelet", "client.crt"],
        ]) {
            assert.ok(named.includes(`holder="${holder}",file="${name}"`), `${holder} ${name}: ${named.join("; ")}`);
        }
        for (const [, labels, end] of ends) assert.ok(Number(end) > Date.now() / 1000, labels);
    });

    it("are refused to others", async () => {
        const other = (await shared.kubectl("-n", "default", "create", "token", "default")).trim();
        for (const job of ["etcd", "kube-scheduler", "metrics-proxy"]) {
            assert.equal((await scrape(targetOf(job), { by: other })).status, 403, job);
            assert.equal((await scrape(targetOf(job), { by: "invalid" })).status, 401, job);
            assert.equal((await scrape({ ...targetOf(job), hasToken: false })).status, 401, job);
        }
    });

    it("of control-plane components are also at 127.0.0.1 of a controller, as port-forward expects", async () => {
        for (const port of [ports.kubeScheduler, ports.kubeControllerManager]) {
            const target = { url: `https://127.0.0.1:${port}/metrics`, isVerified: false, hasToken: true };
            const { status, text } = await scrape(target, { from: controller });
            assert.equal(status, 200, text.slice(0, 200));
            assert.equal((await scrape({ ...target, hasToken: false }, { from: controller })).status, 403);
        }
    });
});
