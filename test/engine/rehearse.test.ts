import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inPrivateFolder } from "../../cli/rehearse/folder";
import { type Rehearsal, rehearse } from "../../cli/rehearse/rehearse";
import { isGood, isKept, renderRehearsal } from "../../cli/rehearse/report";
import type { Credentials } from "../../cluster/keys/credentials";
import type { ClusterOptions } from "../../cluster/options";
import { PREVIOUS_MINOR, versions } from "../../versions";
import { itLong } from "../takes-long";
import { fakeCredentials, fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { makeCertificates } from "./kubernetes-fixture/certificates";

/** A URL of a webhook that does not answer, and would refuse the new roles that kube-apiserver adds when it starts. */
const elsewhere = "https://127.0.0.1:9/never";

const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
        group: "example.com",
        names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
};

const webhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "everything" },
    webhooks: [
        {
            name: "everything.example.com",
            clientConfig: { url: elsewhere },
            rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
        },
    ],
};

/** Kubernetes 1.36 has scheduling.k8s.io/v1alpha2, 1.37 has not. */
const alpha = { "runtime-config": "api/alpha=true", "feature-gates": "GenericWorkload=true" };

const workload = {
    apiVersion: "scheduling.k8s.io/v1alpha2",
    kind: "Workload",
    metadata: { name: "training", namespace: "default" },
    spec: { podGroupTemplates: [{ name: "workers", schedulingPolicy: { basic: {} } }] },
};

/** Real certificates, all by one CA. */
function credentialsIn(folder: string, cluster: Parameters<typeof fakeCredentials>[0]): Credentials {
    const sign = makeCertificates(folder);
    const text = (path: string) => readFileSync(path, "utf8");
    const pair = ({ certificate, key }: ReturnType<typeof sign>) => ({ cert: text(certificate), key: text(key) });
    const ca = { cert: text(join(folder, "ca.crt")), key: text(join(folder, "ca.key")) };
    const server = { cert: text(join(folder, "server.crt")), key: text(join(folder, "server.key")) };
    const client = pair(sign("admin", "system:masters"));
    const serviceAccount = text(join(folder, "service-account.key"));
    const fake = fakeCredentials(cluster);
    const of = { kubernetesCa: ca, etcdCa: ca, frontProxyCa: ca, apiserver: server, admin: client };
    const clients = { apiserverKubeletClient: client, apiserverEtcdClient: client, frontProxyClient: client };
    return {
        ...fake,
        ...of,
        ...clients,
        encryptionKeys: { 1: Buffer.alloc(32, 1).toString("base64") },
        serviceAccount: { publicKey: serviceAccount, privateKey: serviceAccount },
        etcdMembers: { [cluster.controllers.names[0]!]: server },
    };
}

describe("a rehearsal with real kube-apiservers", function () {
    this.timeout(180_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-rehearse-"));
    // The objects are written without encryption.
    const options: ClusterOptions = {
        name: "c",
        kubernetesVersion: PREVIOUS_MINOR,
        keys: { encryption: [1, "plain"] },
    };
    let rehearsal: Rehearsal;

    before(async () => {
        const api = await ApiServer.start({
            kubernetesVersion: PREVIOUS_MINOR,
            flags: { apiserver: Object.entries(alpha).map(([flag, value]) => `--${flag}=${value}`), controllers: [] },
        });
        try {
            for (const object of [definition, workload]) await api.cluster.create(object, { fieldManager: "test" });
            const metadata = { name: "kept", namespace: "default" };
            await api.cluster.create(
                { apiVersion: "v1", kind: "Secret", metadata, data: { key: "c2VjcmV0" } },
                { fieldManager: "test" },
            );
            await api.cluster.create(webhook, { fieldManager: "test" });
            await api.snapshot(join(folder, "snapshot.db"));
        } finally {
            await api.stop();
        }
        const certificates = join(folder, "certificates");
        mkdirSync(certificates);
        rehearsal = {
            record: { options, machines: {}, credentials: credentialsIn(certificates, fixedCluster(options)) },
            to: versions.kubernetes,
            snapshot: { file: join(folder, "snapshot.db"), name: "s1" },
            folder: join(folder, "work"),
        };
    });
    beforeEach(() => mkdirSync(join(folder, "work"), { mode: 0o700 }));
    afterEach(() => rmSync(join(folder, "work"), { recursive: true, force: true }));
    after(() => rmSync(folder, { recursive: true, force: true }));

    it("finds every object after the upgrade and after the way back, and shows no secret", async () => {
        const report = await rehearse(rehearsal);
        assert.ok(isGood(report), JSON.stringify(report));
        assert.ok(report.upgrade.compared > 50, `${report.upgrade.compared} objects`);
        const text = renderRehearsal(report);
        console.log(text.replaceAll(/^/gm, "      "));
        assert.doesNotMatch(`${text}${JSON.stringify(report)}`, /c2VjcmV0/);
    });

    // That version waits for a minute before it serves without the API.
    itLong("reports objects of an API that the new version no longer has", async () => {
        const record = { ...rehearsal.record, options: { ...options, components: { kubeApiserver: alpha } } };
        const report = await rehearse({ ...rehearsal, record });
        assert.deepEqual(report.upgrade.unserved, [{ kind: "Workload of scheduling.k8s.io/v1alpha2", objects: 1 }]);
        assert.deepEqual(report.upgrade.missing, []);
        assert.ok(!isGood(report));
        assert.ok(isKept(report.wayBack), JSON.stringify(report.wayBack));
        console.log(renderRehearsal(report).replaceAll(/^/gm, "      "));
    });

    it("is refused if the new version does not have a value of a flag", async () => {
        const components = { kubeApiserver: { "runtime-config": "scheduling.k8s.io/v1alpha2=true" } };
        const record = { ...rehearsal.record, options: { ...options, components } };
        await assert.rejects(rehearse({ ...rehearsal, record }), /scheduling\.k8s\.io\/v1alpha2/);
    });

    it("works in a private folder that is removed, like those of killed rehearsals", async () => {
        process.env.TRADEWIND_STATE = join(folder, "state");
        try {
            const root = join(folder, "state/.rehearsals");
            mkdirSync(join(root, "999999999"), { recursive: true });
            await assert.rejects(
                inPrivateFolder(async (own) => {
                    assert.deepEqual(readdirSync(root), [String(process.pid)]);
                    throw new Error(own);
                }),
                /\.rehearsals/,
            );
            assert.deepEqual(readdirSync(root), []);
        } finally {
            delete process.env.TRADEWIND_STATE;
        }
    });
});
