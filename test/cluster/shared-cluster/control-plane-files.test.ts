import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { powerCut } from "../../../machines";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { Authority, type Pair } from "../../unit/agents/boot/receiver/authority";
import { eventually, readText, root } from "../cluster";
import { storedIn } from "../etcd-roll";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const [sockets, data, program] = ["/run/parts", "/var/lib/parts", "/opt/parts"];
const token = "a-token-of-the-audit-webhook";
const word = "a-word-that-etcd-must-not-have";
const files = "controlPlaneFiles.kubeApiserver";
const flags = "components.kubeApiserver";
const staticPod = "/etc/kubernetes/manifests/parts.json";

type Values = Readonly<Record<string, string | number>>;

/** Keys of the configuration: each call of Pulumi takes seconds. */
async function set(plain: Values, secret: Values = {}): Promise<void> {
    const args = (values: Values, kind: string) =>
        Object.entries(values).flatMap(([path, value]) => [kind, `tradewind:${path}=${value}`]);
    await shared.pulumi("config", "set-all", "--path", ...args(plain, "--plaintext"), ...args(secret, "--secret"));
}

const remove = (...paths: string[]) =>
    shared.pulumi("config", "rm-all", "--path", ...paths.map((path) => `tradewind:${path}`));
const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const write = (path: string, text: string) =>
    shared.exec(
        controller,
        `mkdir -p "$(dirname ${path})"; echo ${Buffer.from(text).toString("base64")} | base64 -d > ${path}`,
    );

/** Sets the list of keys for Secrets in etcd, one step each. */
async function encryption(...list: (number | string)[]): Promise<void> {
    await remove("keys.encryption");
    if (list.length > 0) await set(Object.fromEntries(list.map((each, index) => [`keys.encryption[${index}]`, each])));
}

const kms = { kms: { apiVersion: "v2", name: "parts", endpoint: `unix://${sockets}/kms.sock` } };

/** The file with which kube-apiserver encrypts by the first provider and decrypts by all. */
const encryptedBy = (...providers: object[]) => ({
    [`${files}.files["encryption.json"]`]: JSON.stringify({
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "EncryptionConfiguration",
        resources: [{ resources: ["secrets"], providers }],
    }),
});
const encryptionFlag = { [`${flags}["encryption-provider-config"]`]: "/etc/kubernetes/files/encryption.json" };
const secretFile = (ca: string, bearer: string) => ({ [`${files}.secretFiles["audit-webhook"]`]: webhook(ca, bearer) });

const tracing = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "TracingConfiguration",
    endpoint: "127.0.0.1:14317",
    samplingRatePerMillion: 1_000_000,
};

const egress = {
    apiVersion: "apiserver.k8s.io/v1beta1",
    kind: "EgressSelectorConfiguration",
    egressSelections: [
        {
            name: "cluster",
            connection: { proxyProtocol: "HTTPConnect", transport: { uds: { udsName: `${sockets}/egress.sock` } } },
        },
    ],
};

const webhook = (ca: string, bearer: string) =>
    JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [
            {
                name: "audit",
                cluster: {
                    server: "https://127.0.0.1:19443",
                    "tls-server-name": "audit.test",
                    "certificate-authority-data": Buffer.from(ca).toString("base64"),
                },
            },
        ],
        users: [{ name: "audit", user: { token: bearer } }],
        contexts: [{ name: "audit", context: { cluster: "audit", user: "audit" } }],
        "current-context": "audit",
    });

/** The parts as one static pod: they run before there is an API, as a KMS plugin must. */
async function runParts({ cert, key }: Pair): Promise<void> {
    await write(`${program}/parts.cjs`, readText(join(root, "test/cluster/apiserver-parts.cjs")));
    const volumes = Object.entries({ program, sockets, data });
    const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "parts", namespace: "kube-system" },
        spec: {
            hostNetwork: true,
            priorityClassName: "system-node-critical",
            securityContext: { runAsUser: 60801, runAsGroup: 60801 },
            containers: [
                {
                    name: "parts",
                    image: images.node,
                    command: ["node", `${program}/parts.cjs`],
                    env: Object.entries({ SOCKETS: sockets, DATA: data, CERT: cert, KEY: key }).map(
                        ([name, value]) => ({
                            name,
                            value,
                        }),
                    ),
                    volumeMounts: volumes.map(([name, mountPath]) => ({ name, mountPath })),
                },
            ],
            volumes: volumes.map(([name, path]) => ({ name, hostPath: { path, type: "Directory" } })),
        },
    };
    await write(staticPod, JSON.stringify(pod));
}

/** Waits for a line of the parts' log. */
const isSeen = (what: RegExp, seconds = 60) =>
    eventually(
        `${what} in the log of the parts`,
        async () => {
            const log = await shared.exec(controller, `cat ${data}/seen.log`);
            assert.match(log, what, log.slice(-500));
        },
        seconds,
    );

/** Everything that the files are for, once more. */
async function eachIsUsed(): Promise<void> {
    await shared.exec(controller, `truncate -c -s 0 ${data}/seen.log`);
    const name = `asked-for-at-${Date.now()}`;
    await shared.kubectl("get", "configmap", name, "--ignore-not-found");
    await eventually("logs", () => shared.kubectl("-n", "kube-system", "logs", "ds/kube-proxy", "--tail=1"));
    await isSeen(/^to [\d.]+:10250$/m);
    await isSeen(/^spans of apiserver, \d{3,} bytes$/m);
    await isSeen(new RegExp(`^audit Bearer ${token} get \\S*/${name}$`, "m"));
}

const secretNames = () => shared.kubectl("-n", "default", "get", "secrets", "-o", "name");
const stored = async (name: string) =>
    (await storedIn(shared, controller, `/registry/secrets/default/${name}`)).map((value) => value.toString("latin1"));

describeLong("files of kube-apiserver, with all that they are for", function () {
    this.timeout(1_200_000);
    let ca: string;
    let pair: Pair;

    before(async () => {
        await sharedCluster();
        const authority = new Authority("audit-ca");
        ca = authority.ca;
        pair = authority.server("audit.test");
        authority.remove();
    });
    after(async () => {
        // Back to the stack's own keys: the plugin only reads, until it has nothing to read.
        await set(encryptedBy({ identity: {} }, kms));
        await up();
        await shared.kubectl("-n", "default", "delete", "secret", "kept", "--ignore-not-found");
        await remove(files, flags);
        for (const list of [["plain", 1], [1, "plain"], []]) {
            await encryption(...list);
            await up();
        }
        await shared.exec(controller, `rm -rf ${staticPod} ${program} ${data} ${sockets}`);
        await shared.pulumi("preview", "--expect-no-changes");
    });

    it("has a webhook for audit events, a receiver of traces, and a proxy to the cluster", async () => {
        await set(
            {
                [`${files}.files["tracing.json"]`]: JSON.stringify(tracing),
                [`${files}.files["egress.json"]`]: JSON.stringify(egress),
                [`${files}.hostDirectories[0]`]: sockets,
                [`${files}.hostDirectories[1]`]: data,
                [`${flags}["tracing-config-file"]`]: "/etc/kubernetes/files/tracing.json",
                [`${flags}["egress-selector-config-file"]`]: "/etc/kubernetes/files/egress.json",
                [`${flags}["audit-webhook-config-file"]`]: "/etc/kubernetes/secret-files/audit-webhook",
                [`${flags}["audit-webhook-batch-max-wait"]`]: "1s",
                "keys.encryption[0]": 1,
                "keys.encryption[1]": "plain",
            },
            secretFile(ca, token),
        );
        await up();
        // Their directories exist now.
        await runParts(pair);
        await eachIsUsed();
    });

    it("encrypts Secrets by a KMS plugin, once the stack's own keys are gone", async () => {
        await encryption("plain", 1);
        await up();
        await encryption("plain");
        await set({ ...encryptedBy(kms, { identity: {} }), ...encryptionFlag });
        await up();
        await shared.kubectl("-n", "default", "create", "secret", "generic", "kept", `--from-literal=word=${word}`);
        const [value] = await stored("kept");
        assert.match(value!, /^k8s:enc:kms:v2:parts:/);
        assert.ok(!value!.includes(word));
        await isSeen(/^encrypt$/m);
        assert.match(await secretNames(), /secret\/kept/);
    });

    it("keeps secret files out of previews and support bundles, and from others on the machine", async () => {
        await set({}, secretFile(ca, `${token}-2`));
        const preview = await shared.pulumi("preview", "--diff");
        await set({}, secretFile(ca, token));
        const folder = mkdtempSync(join(tmpdir(), "tradewind-bundle-"));
        const bundle = join(folder, "bundle.tar.gz");
        await shared.tradewind("support-bundle", "--output", bundle);
        const collected = gunzipSync(readFileSync(bundle)).toString("latin1");
        rmSync(folder, { recursive: true });
        assert.match(preview.stdout, /kube-apiserver-files/);
        for (const [where, text] of Object.entries({ preview: preview.stdout + preview.stderr, collected })) {
            for (const each of [token, Buffer.from(webhook(ca, token)).toString("base64").slice(0, 400)]) {
                assert.ok(!text.includes(each), `${where} has ${each}`);
            }
        }
        const modes = async (where: string) =>
            (
                await shared.exec(
                    controller,
                    `find ${where} -path '*secret-files*' -name audit-webhook -exec stat -Lc '%a %u %g' {} +`,
                )
            )
                .trim()
                .split("\n");
        for (const each of await modes("/var/lib/kubelet/pods")) assert.match(each, /^440 0 60801$/);
        for (const each of await modes("/etc/kubernetes/checkpoints")) assert.match(each, /^400 60801 60801$/);
        assert.match(await shared.exec(controller, "stat -c '%a %u' /etc/kubernetes/checkpoints"), /^700 0$/m);
    });

    it("has all of them after a power cut", async () => {
        await shared.exec(controller, `truncate -c -s 0 ${data}/seen.log`);
        const cut = performance.now();
        await powerCut(shared.name, controller);
        await eventually("the Secrets", async () => assert.match(await secretNames(), /secret\/kept/), 180);
        console.log(`      Secrets are readable ${((performance.now() - cut) / 1000).toFixed(0)} s after a power cut`);
        await isSeen(/^decrypt$/m);
        const status = ["-n", "kube-system", "rollout", "status", "ds/kube-apiserver", "--timeout=10s"];
        await eventually("kube-apiserver itself", () => shared.kubectl(...status), 180);
        await eachIsUsed();
        const { data: kept } = await shared.get<{ data: { word: string } }>("-n", "default", "secret", "kept");
        assert.equal(Buffer.from(kept.word, "base64").toString(), word);
    });
});
