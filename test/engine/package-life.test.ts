import assert from "node:assert/strict";
import { recordIn } from "../../cli/reach/stack-record";
import { EmptyProject } from "../../dev/release/empty-project";
import { describeLong } from "../takes-long";
import { givenAway, plain, secretsOf } from "./cloud-secrets/secrets";
import { change, takeExample } from "./package/languages";
import { PaperProgram } from "./package/paper-program";
import { type StateResource, succeeded } from "./workspace";

interface Resource extends StateResource {
    readonly parent?: string;
    readonly provider?: string;
}

const SECRET = "4dabf18193072939515e22adb298388d";

/** A second cluster, next to that of the example. */
const green = {
    type: "tradewind:index:DigitalOceanCluster",
    properties: {
        domain: "example.com",
        region: "fra1",
        image: "170000001",
        sshKeys: ["42"],
        workerPools: [{ name: "default" }],
        downloads: Object.fromEntries(
            ["kubelet", "cniPlugins"].map((name, index) => [
                name,
                { urls: [`https://mirror.example/${name}`], sha256: String(index).repeat(64) },
            ]),
        ),
    },
    options: { providers: ["${sea}"], dependsOn: ["${program}"] },
};
const sea = { type: "pulumi:providers:digitalocean" };

// Creates clusters on both clouds, which takes a minute.
describeLong("clusters of a YAML program, created by the plugin of the npm package", function () {
    this.timeout(400_000);
    const project = new EmptyProject();
    let program: PaperProgram;
    let brought: readonly string[];

    const exported = async (...args: string[]): Promise<Resource[]> => {
        const { output } = await program.workspace.pulumi("stack", "export", ...args);
        return JSON.parse(output).deployment.resources;
    };
    const clusterIn = (all: readonly Resource[], name: string) =>
        all.find(({ urn, type }) => /^tradewind:index:\w+Cluster$/.test(type) && urn.endsWith(`::${name}`))!;

    before(async () => {
        await project.link();
        program = await PaperProgram.create();
        brought = program.left;
        await takeExample(program.workspace, "yaml", project.package);
        await program.workspace.pulumi("config", "set", "aws:region", "eu-central-1");
        change(program.workspace, ({ resources, ...rest }) => ({
            ...rest,
            resources: { ...resources, green, sea },
        }));
    });
    after(() => {
        program?.remove();
        project.remove();
    });

    it("are created, and another up changes nothing", async () => {
        await succeeded(program.workspace.up());
        assert.ok(program.left.length > brought.length + 20);
        const { changes } = await succeeded(program.workspace.up());
        assert.deepEqual(Object.keys(changes), ["same"]);
    });

    it("have secret kubeconfigs, and no key in the export", async () => {
        const all = await exported();
        for (const name of ["program", "green"]) {
            const { kubeconfig } = clusterIn(all, name).outputs as Record<string, Record<string, string>>;
            assert.ok(kubeconfig?.[SECRET] && kubeconfig.ciphertext && !kubeconfig.plaintext, name);
        }
        const decrypted = await exported("--show-secrets");
        const named = decrypted.map(({ urn, type, outputs = {} }) => ({
            type,
            name: urn.slice(urn.lastIndexOf("::") + 2),
            outputs: plain(outputs) as Record<string, unknown>,
        }));
        const secrets = secretsOf(named);
        assert.ok(secrets.length > 20);
        assert.deepEqual(givenAway(JSON.stringify(all), secrets), []);
        assert.ok(givenAway(JSON.stringify(named), secrets).length > 20, "they would be found");
    });

    it("store in the state how to recover each of them", async () => {
        const all = await exported("--show-secrets");
        for (const name of ["program", "green"]) {
            const { options, machines, credentials } = recordIn(
                { deployment: { resources: [clusterIn(all, name)] } },
                name,
            );
            assert.equal(options.name, name);
            assert.deepEqual(Object.keys(machines).slice(0, 1), [`${name}-controller-0`]);
            assert.match(credentials.kubernetesCa.key, /PRIVATE KEY/);
        }
    });

    it("use their explicit providers, and follow their dependencies", async () => {
        const all = await exported();
        const droplets = all.filter(({ urn, type }) => type.startsWith("digitalocean:") && /::green\b/.test(urn));
        assert.ok(droplets.length > 5);
        for (const { provider } of droplets) assert.match(provider ?? "", /::sea::/);
        assert.ok(clusterIn(all, "green").dependencies?.includes(clusterIn(all, "program").urn));
    });

    it("stay the same under another parent, with an alias", async () => {
        const move = (options: object) =>
            change(program.workspace, ({ resources, ...rest }) => ({
                ...rest,
                resources: { ...resources, green: { ...green, options: { ...green.options, ...options } } },
            }));
        move({ parent: "${program}" });
        // Without one it would be another cluster of the same name.
        const { exitCode: refused, output: why } = await program.workspace.preview();
        assert.notEqual(refused, 0);
        assert.match(why, /name must be one that nothing in the account has \(got green\)/);
        move({ parent: "${program}", aliases: [{ noParent: true }] });
        const { changes, output } = await succeeded(program.workspace.preview());
        assert.deepEqual([changes.create, changes.delete, changes.replace], [undefined, undefined, undefined], output);
        move({});
    });

    it("are destroyed, leaving nothing in the accounts", async () => {
        await succeeded(program.workspace.destroy());
        assert.deepEqual(program.left, brought);
    });
});
