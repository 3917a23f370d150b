import assert from "node:assert/strict";
import { sanitise } from "../../../agents/checkpointer/sanitise";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import { requireSecretFiles } from "../../../cluster/control-plane-files";
import { controllerConfig } from "../../../cluster/machines/controller";
import { controlPlane, controlPlaneBase, selfHostedPod } from "../../../cluster/manifests/control-plane";
import { checkpointerPlan } from "../../../cluster/manifests/control-plane/checkpointer";
import type { ClusterOptions } from "../../../cluster/options";
import { downloads, fakeCredentials, firstController, fixedCluster } from "../components/in-cluster/fixture";

/** Without Tradewind's own files. */
const withoutOwn: Partial<ClusterOptions> = {
    auditLog: false,
    podSecurity: { enforce: "privileged", audit: "privileged", warn: "privileged" },
    eventRateLimit: { server: 0, namespace: 0 },
};
const withFiles = (
    kubeApiserver: NonNullable<ClusterOptions["controlPlaneFiles"]>["kubeApiserver"],
    others: Partial<ClusterOptions> = {},
) => fixedCluster({ ...withoutOwn, ...others, controlPlaneFiles: { kubeApiserver } });

const files = { files: { "own.yaml": "rules: []" }, secretFiles: ["hook.yaml"], hostDirectories: ["/run/kmsplugin"] };
const cluster = withFiles(files);
const secrets = { ...fakeCredentials(cluster), secretFiles: { kubeApiserver: { "hook.yaml": "token: hidden" } } };
const apiserverOf = (all: ReturnType<typeof controlPlane>) =>
    all.find(({ kind, metadata }) => kind === "DaemonSet" && metadata.name === "kube-apiserver");

describe("files of control-plane components", () => {
    it("are in a ConfigMap, and secret ones in a Secret", () => {
        const named = (kind: string) =>
            [...controlPlaneBase(cluster, ""), ...controlPlane(cluster, secrets)].find(
                (each) => each.kind === kind && each.metadata.name === "kube-apiserver-files",
            );
        assert.deepEqual(named("ConfigMap")!.data, files.files);
        assert.deepEqual(named("Secret")!.data, { "hook.yaml": Buffer.from("token: hidden").toString("base64") });
    });

    it("are mounted read-only in the component that they are for alone", () => {
        const text = JSON.stringify(selfHostedPod(cluster, "kube-apiserver", secrets).spec);
        for (const part of [
            '{"name":"files","mountPath":"/etc/kubernetes/files","readOnly":true}',
            '{"name":"secret-files","mountPath":"/etc/kubernetes/secret-files","readOnly":true}',
            '{"name":"directory-0","mountPath":"/run/kmsplugin"}',
            '{"name":"files","configMap":{"name":"kube-apiserver-files"}}',
            '{"name":"secret-files","secret":{"secretName":"kube-apiserver-files","defaultMode":256}}',
            '{"name":"directory-0","hostPath":{"path":"/run/kmsplugin","type":"Directory"}}',
        ]) {
            assert.ok(text.includes(part), part);
        }
        assert.doesNotMatch(JSON.stringify(selfHostedPod(cluster, "kube-scheduler", secrets)), /files|directory-/);
    });

    it("replace the pods when one changes, secret or not, and give them another address", () => {
        const changed = withFiles({ ...files, files: { "own.yaml": "rules: [{}]" } });
        const hidden = { ...secrets, secretFiles: { kubeApiserver: { "hook.yaml": "token: other" } } };
        const templates = [
            controlPlane(cluster, secrets),
            controlPlane(changed, secrets),
            controlPlane(cluster, hidden),
        ]
            .map(apiserverOf)
            .map((set) => JSON.stringify(set));
        assert.equal(new Set(templates).size, 3);
        const addresses = [
            selfHostedPod(cluster, "kube-apiserver", secrets),
            selfHostedPod(changed, "kube-apiserver", secrets),
            selfHostedPod(cluster, "kube-apiserver", hidden),
        ].map(({ address }) => address);
        assert.equal(new Set(addresses).size, 3);
        assert.ok(!templates.join("").includes("hidden"));
    });

    it("are saved in checkpoints", () => {
        const { address, spec } = selfHostedPod(cluster, "kube-apiserver", secrets);
        const annotations = { "tradewind.dev/loopback-address": address };
        const { volumes } = sanitise({ metadata: { annotations }, spec } as unknown as NodePod, "/saved");
        assert.deepEqual(
            volumes.map(({ name, plugin }) => `${name} ${plugin}`),
            ["credentials kubernetes.io~secret", "files kubernetes.io~configmap", "secret-files kubernetes.io~secret"],
        );
    });

    it("of a new machine have their directories, those in /run from each boot on", () => {
        const directories = ["/run/kmsplugin", "/var/log/own"];
        const own = withFiles({ hostDirectories: directories }, { auditLog: true });
        const { storage, systemd } = controllerConfig(own, {
            ...{ machine: firstController(own), downloads, ca: "", bootstrapToken: "" },
        });
        const owned = storage!.directories!.filter(({ group }) => group?.id === 60801);
        assert.deepEqual(
            owned.map(({ path, mode }) => [path, mode]),
            [
                ["/var/log/kubernetes/audit", 0o770],
                ["/var/log/own", 0o770],
            ],
        );
        const { dropins } = systemd!.units!.find(({ name }) => name === "checkpoints.service")!;
        const create = ["mkdir -p", "chown :60801", "chmod 0770"].map(
            (each) => `ExecStartPre=/bin/${each} /run/kmsplugin\n`,
        );
        assert.deepEqual(dropins, [{ name: "host-directories.conf", contents: `[Service]\n${create.join("")}` }]);
        assert.deepEqual(
            checkpointerPlan(own).hostDirectories!.map(({ path, group }) => [path, group]),
            [
                ["/var/log/kubernetes/audit", 60801],
                ["/run/kmsplugin", 60801],
                ["/var/log/own", 60801],
            ],
        );
    });

    const at = "controlPlaneFiles.kubeApiserver";
    for (const [title, options, message] of [
        ["a path as a name", { files: { "../a": "" } }, `a key of ${at}.files must be a file name`],
        ["a hidden name", { files: { "..data": "" } }, `a key of ${at}.files must be a file name`],
        ["a name of ours", { files: { "tradewind-a": "" } }, `a key of ${at}.files must not begin with tradewind-`],
        ["more than fits", { files: { a: "ä".repeat(500_000) } }, `${at}.files must be at most 1000000 bytes`],
        ["a secret path", { secretFiles: ["a/b"] }, `${at}.secretFiles must be a file name`],
        ["a directory of the OS", { hostDirectories: ["/etc/own"] }, `${at}.hostDirectories must be a directory of`],
        ["the kubelet's", { hostDirectories: ["/var/lib/kubelet/pods"] }, `${at}.hostDirectories must be a directory`],
        ["a way out", { hostDirectories: ["/var/log/a/../b"] }, `${at}.hostDirectories must be a directory of`],
        [
            "a directory twice",
            { hostDirectories: ["/run/a", "/run/a"] },
            "controlPlaneFiles must not list a host directory twice",
        ],
        [
            "an unknown key",
            { volumes: [] },
            `a key of ${at} must be files, secretFiles or hostDirectories (got volumes)`,
        ],
    ] as [string, object, string][]) {
        it(`are refused: ${title}`, () => {
            assert.throws(
                () => withFiles(options),
                ({ message: text }: Error) => text.startsWith(message),
            );
        });
    }

    it("must have the contents of the secret ones, and of no others", () => {
        const { controlPlaneFiles } = cluster;
        requireSecretFiles(controlPlaneFiles, secrets.secretFiles);
        assert.throws(
            () => requireSecretFiles(controlPlaneFiles),
            /^Error: controlPlaneSecretFiles.kubeApiserver.hook.yaml must be text/,
        );
        assert.throws(
            () => requireSecretFiles(controlPlaneFiles, { kubeApiserver: { "hook.yaml": "", other: "" } }),
            /^Error: a key of controlPlaneSecretFiles.kubeApiserver must be one of .* \(got other\)/,
        );
    });
});

describe("the audit log", () => {
    it("is on, unless it is switched off", () => {
        const isOn = (options: Partial<ClusterOptions>) => fixedCluster(options).auditLog;
        assert.deepEqual([{}, { auditLog: false }].map(isOn), [true, false]);
        assert.throws(() => isOn({ auditLog: "no" as never }), /auditLog must be one of true, false \(got no\)/);
    });

    it("is written to files of each pod, which its copy does not share", () => {
        const of = fixedCluster();
        const text = JSON.stringify(selfHostedPod(of, "kube-apiserver", fakeCredentials(of)).spec);
        assert.match(text, /--audit-log-path=\/var\/log\/kubernetes\/audit\/\$\(POD_NAME\)\.log/);
        assert.match(text, /"name":"POD_NAME","valueFrom":\{"fieldRef":\{"fieldPath":"metadata.name"\}\}/);
    });

    it("is limited for all pods together as for one", () => {
        const limits = (flags: Record<string, string>) =>
            checkpointerPlan(fixedCluster({ components: { kubeApiserver: flags } })).auditLog;
        const directory = "/var/log/kubernetes/audit";
        assert.deepEqual(limits({}), { directory, maxAgeDays: 30, maxBytes: 1100 * 2 ** 20 });
        assert.deepEqual(limits({ "audit-log-maxage": "0", "audit-log-maxbackup": "0" }), { directory });
        assert.equal(checkpointerPlan(fixedCluster({ auditLog: false })).auditLog, undefined);
    });
});
