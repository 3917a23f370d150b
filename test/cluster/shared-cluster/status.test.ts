import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { ClusterFacts } from "../../../cli/status/facts";
import type { Verdict } from "../../../cli/status/judge";
import { containerName, docker } from "../../../machines";
import { LOAD_BALANCER } from "../../../machines/names";
import { csr } from "../../unit/agents/nodes/approver/csr";
import { elementsOf } from "../../unit/cli/picture/xml";
import { eventually, root } from "../cluster";
import { shared, sharedCluster } from "../shared";

type Status = ClusterFacts & Verdict;

const controller = `${shared.name}-controller-0`;

/** Maximum seconds, however little responds; a busy host starts programs slowly. */
const limit = 10;

const program = resolve(root, "dev/tradewind.cjs");

/** Runs a command like a user. */
function tradewind(
    command: string,
    ...args: string[]
): Promise<{ exitCode: number; stdout: string; stderr: string; seconds: number }> {
    const began = performance.now();
    return new Promise((done) => {
        execFile(program, [command, "--name", shared.name, ...args], (error, stdout, stderr) =>
            done({
                exitCode: error ? Number(error.code) : 0,
                stdout,
                stderr,
                seconds: (performance.now() - began) / 1000,
            }),
        );
    });
}

async function status(): Promise<Status & { exitCode: number; codes: string[] }> {
    const { exitCode, stdout, stderr, seconds } = await tradewind("status", "-o", "json");
    assert.equal(stderr, "");
    assert(seconds < limit, `at most ${limit} s, took ${seconds.toFixed(1)} s`);
    const answer: Status = JSON.parse(stdout);
    return { ...answer, exitCode, codes: answer.findings.map(({ code }) => code) };
}

function assertHealthy(): Promise<Status> {
    return eventually("a healthy cluster", async () => {
        const answer = await status();
        assert.deepEqual([answer.exitCode, answer.isHealthy], [0, true], JSON.stringify(answer.findings));
        return answer;
    });
}

function known<T>(fact: { value: T } | { unknown: string }): T {
    assert("value" in fact, JSON.stringify(fact));
    return fact.value;
}

/** Contents of a bundle of the current cluster, by path. */
async function bundle(folder: string): Promise<{ stdout: string; read: (path: string) => string }> {
    const file = join(folder, "hangs.tar.gz");
    const { exitCode, stdout, stderr } = await tradewind("support-bundle", "--output", file);
    assert.equal(exitCode, 0, stderr);
    execFileSync("tar", ["-xzf", file, "-C", folder]);
    return { stdout, read: (path) => readFileSync(join(folder, "hangs", path), "utf8") };
}

describe("tradewind status", function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-status-test-"));
    after(() => rmSync(folder, { recursive: true }));

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("leaves what pods request to another command", async () => {
        const { exitCode, stdout } = await tradewind("usage", "-o", "json");
        assert.equal(exitCode, 0, stdout);
        const { pools, namespaces } = JSON.parse(stdout);
        const system = namespaces.find(({ name }: { name: string }) => name === "kube-system");
        assert.ok(system.requested.cpu > 0.1 && system.requested.memory > 2 ** 27, stdout);
        assert.deepEqual(
            pools.map(({ name, count }: { name: string; count: number }) => [name, count]),
            [
                ["controller", 1],
                ["default", 2],
            ],
        );
        assert.match((await tradewind("usage")).stdout, /^NAMESPACE +PODS +CPU REQUESTED/m);
    });

    it("reports a complete cluster as healthy, with all its data", async () => {
        const facts = await assertHealthy();
        assert.equal(known(facts.nodes).length, 3);
        const parts = known(facts.pods).filter(({ node, component }) => node === controller && component);
        const origins = new Map(parts.map(({ component, origin }) => [component, origin]));
        assert.equal(origins.get("kube-apiserver"), "api");
        assert.equal(origins.get("etcd"), "static");
        const [member] = known(facts.etcd).members;
        assert.equal(known(member!.status).leader, member!.id);
        assert.deepEqual(
            known(facts.leaders).map(({ node }) => node),
            [controller, controller],
        );
        const unknown = facts.certificates.filter(({ notAfter }) => "unknown" in notAfter);
        assert.deepEqual(unknown, []);
    });

    it("prints it in readable form", async () => {
        const { exitCode, stdout } = await tradewind("status");
        assert.equal(exitCode, 0);
        assert.match(stdout, new RegExp(`^${shared.name} is healthy`));
        assert.match(stdout, new RegExp(`\\nkube-apiserver +${controller} +API +ready +\\d`));
    });

    it("repeats it with --watch, until it is interrupted", async () => {
        const child = spawn(program, ["status", "--name", shared.name, "--watch", "-o", "json"], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        const ended = once(child, "close");
        try {
            const lines = createInterface({ input: child.stdout });
            const seen: Status[] = [];
            for await (const line of lines) {
                seen.push(JSON.parse(line));
                if (seen.length === 2) child.kill("SIGINT");
            }
            assert.deepEqual([seen.length, ...seen.map(({ isHealthy }) => isHealthy)], [2, true, true]);
            const apart = (Date.parse(seen[1]!.at) - Date.parse(seen[0]!.at)) / 1000;
            assert(apart > 1, `${apart} s between two updates`);
            assert.deepEqual(await ended, [130, null]);
        } finally {
            child.kill("SIGKILL");
        }
    });

    it("says why no agent approves a kubelet's certificate, and what to do", async () => {
        const name = "csr-stranger";
        const text = csr("system:node:stranger", { ipAddresses: ["10.9.9.9"] });
        const request = Buffer.from(text).toString("base64");
        const usages = ["digital signature", "server auth"];
        const own = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", metadata: { name } };
        const spec = { signerName: "kubernetes.io/kubelet-serving", request, usages };
        const as = ["--as=system:node:stranger", "--as-group=system:nodes", "--as-group=system:authenticated"];
        await shared.createIn("default", { ...own, spec }, ...as);
        try {
            await eventually("the finding", async () => {
                const [finding] = (await status()).findings.filter(({ code }) => code === "request-waits");
                assert.match(
                    finding?.message ?? "",
                    /^The kubelet of stranger .*: stranger is not a machine of the stack\.$/,
                );
                assert.match(finding!.advice!, /pulumi up.*kubectl describe csr csr-stranger$/);
            });
        } finally {
            await shared.kubectl("delete", "csr", name);
        }
        await assertHealthy();
    });

    describe("names a command that mends", function () {
        this.timeout(300_000);
        const worker = `${shared.name}-default-0`;

        /** Waits for a finding, and returns its advice. */
        const adviceOn = (code: string, about: string) =>
            eventually(`the finding ${code}`, async () => {
                const { findings } = await status();
                const found = findings.find((each) => each.code === code && each.message.includes(about));
                assert(found?.advice, JSON.stringify(findings));
                return found.advice;
            });

        /** Runs the first command of an advice that begins like this, as a user would copy it. */
        async function run(advice: string, command: RegExp): Promise<void> {
            const [text] = command.exec(advice) ?? [];
            assert(text, advice);
            const [program, ...args] = text.split(" ");
            if (program === "docker") await docker(args);
            else if (program === "pulumi") await shared.pulumi(...args, "--yes", "--skip-preview");
            else await shared.kubectl(...args);
        }

        const mended = (code: string, about: string) =>
            eventually(
                `no finding ${code}`,
                async () => {
                    const { findings, isHealthy } = await status();
                    const left = findings.filter((each) => each.code === code && each.message.includes(about));
                    assert.deepEqual([left, isHealthy], [[], true], JSON.stringify(findings));
                },
                180,
            );

        it("a cordoned node", async () => {
            await shared.kubectl("cordon", worker);
            const advice = await adviceOn("node-cordoned", worker);
            await run(advice, /^kubectl uncordon \S+$/);
            await mended("node-cordoned", worker);
        });

        it("a kubelet that was stopped", async () => {
            await shared.exec(worker, "systemctl stop kubelet");
            const advice = await adviceOn("kubelet-down", worker);
            await run(advice, /^docker exec \S+ systemctl restart kubelet/);
            await mended("kubelet-down", worker);
        });

        it("a container runtime that was stopped", async () => {
            await shared.exec(worker, "systemctl stop containerd");
            const advice = await adviceOn("containerd-down", worker);
            await run(advice, /^docker exec \S+ systemctl restart containerd/);
            await mended("containerd-down", worker);
        });

        it("a machine that was paused", async () => {
            await eventually("the machine to hang", () => docker(["pause", containerName(shared.name, worker)]));
            const advice = await adviceOn("machine-off", worker);
            await run(advice, /^docker unpause \S+$/);
            await mended("machine-off", worker);
        });

        it("a file that the kubelet reads as a static pod", async () => {
            const file = "/etc/kubernetes/manifests/stray.json.bak";
            await shared.exec(worker, `echo '{"metadata":{"name":"stray"}}' > ${file}`);
            const advice = await adviceOn("stray-manifest", `${file} (pod stray)`);
            await run(advice, /docker exec \S+ mv \S+ \/root\//);
            await mended("stray-manifest", file);
            await shared.exec(worker, "rm /root/stray.json.bak");
        });

        it("objects of the stack that were deleted or changed", async function () {
            this.timeout(600_000);
            const inSystem = ["-n", "kube-system"];
            await shared.kubectl(...inSystem, "delete", "service", "kube-dns");
            await shared.kubectl(...inSystem, "delete", "poddisruptionbudget", "coredns");
            await shared.kubectl(...inSystem, "scale", "deployment", "coredns", "--replicas=1");
            const advice = await adviceOn("object-missing", "kube-dns");
            await adviceOn("object-missing", "coredns");
            assert.equal(await adviceOn("object-changed", "coredns"), advice);
            await run(advice, /^pulumi up --refresh/);
            for (const code of ["object-missing", "object-changed"]) await mended(code, "");
        });

        it("a binding that only kube-apiserver creates", async function () {
            this.timeout(600_000);
            await shared.kubectl("delete", "clusterrolebinding", "system:discovery");
            const advice = await adviceOn("object-missing", "system:discovery");
            await run(advice, /^kubectl -n kube-system rollout restart daemonset kube-apiserver/);
            await mended("object-missing", "system:discovery");
        });
    });

    it("is drawn by tradewind graph", async () => {
        const file = join(folder, "graph.svg");
        const { exitCode, stderr } = await tradewind("graph", "--output", file);
        assert.equal(exitCode, 0, stderr);
        const texts = elementsOf(readFileSync(file, "utf8")).map(({ text }) => text);
        const nodes = [controller, ...[0, 1].map((index) => `${shared.name}-default-${index}`)];
        for (const text of [...nodes, "healthy", "kube-apiserver", "etcd", "API", "static pod"]) {
            assert(texts.includes(text), `${text} is not in the picture: ${texts.join(" | ")}`);
        }
    });

    it("distinguishes a hanging load balancer from the API behind it", async () => {
        const balancer = containerName(shared.name, LOAD_BALANCER);
        // With cgroups v1 runc gives up when processes start and exit meanwhile: "unable to freeze".
        await eventually("the load balancer to hang", () => docker(["pause", balancer]));
        try {
            const { exitCode, codes, api, nodes } = await status();
            assert.deepEqual([exitCode, codes[0]], [1, "load-balancer-down"]);
            assert.equal(api.answeredBy, controller);
            assert.equal(known(nodes).length, 3);
        } finally {
            await docker(["unpause", balancer]);
        }
    });

    it("reports what it can while the API hangs, by querying the machines", async () => {
        await shared.exec(controller, "pkill -STOP -x kube-apiserver");
        try {
            const { exitCode, codes, nodes, pods, etcd, controllers, lastSeen } = await status();
            assert.deepEqual([exitCode, codes], [1, ["api-down"]]);
            assert("unknown" in nodes && lastSeen !== undefined);
            assert.deepEqual(
                [known(controllers[0]!.apiserver).isReady, known(controllers[0]!.kubelet).isReady],
                [false, true],
            );
            assert(known(pods).some(({ component, state }) => component === "kube-scheduler" && state === "running"));
            assert.equal(known(known(etcd).members[0]!.status).errors.length, 0);

            const { stdout, read } = await bundle(folder);
            assert.match(stdout, /not collected: api: /);
            assert.match(read("missing.txt"), /^api: /m);
            assert.match(read("status.txt"), /the API/);
            assert.match(read(`machines/${controller}/journal.log`), /kubelet/);
            assert.match(read(`machines/${controller}/checkpoints.txt`), /kube-apiserver/);
        } finally {
            await shared.exec(controller, "pkill -CONT -x kube-apiserver");
        }
        await assertHealthy();
    });
});
