import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { mapValues } from "../../cluster/manifest";
import { golden } from "../unit/golden";
import { type CloudName, openAccount } from "./paper/clouds";
import { differences } from "./paper/preview-differences";
import { type Previewed, readPreview, render } from "./paper/readable-preview";
import { type Configurations, configOf, configurations } from "./previews/configurations";
import { type Run, Workspace } from "./workspace";

const root = resolve(__dirname, "../..");

describe("previews of clusters by the real engine, against simulated clouds", function () {
    this.timeout(240_000);
    let folder: string;
    let workspace: Workspace | undefined;

    const path = () => join(folder, "account.json");
    const preview = async (text: string, config: object, files: Record<string, string> = {}): Promise<Run> => {
        workspace = await Workspace.create(text, {
            PATH: [join(root, "simulator/clouds/bin"), process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            TRADEWIND_SIMULATED_ACCOUNT: path(),
            TRADEWIND_PROGRAM_DEBUG: "false",
            AWS_REGION: "",
            AWS_ACCESS_KEY_ID: "",
            DIGITALOCEAN_TOKEN: "",
        });
        for (const [name, contents] of Object.entries(files)) workspace.write(name, contents);
        const file = parse(workspace.read("Pulumi.test.yaml"));
        workspace.write("Pulumi.test.yaml", stringify({ ...file, config: { ...file.config, ...config } }));
        return workspace.preview();
    };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-previews-"));
    });
    afterEach(() => {
        workspace?.remove();
        rmSync(folder, { recursive: true });
    });

    // Programs that create more than a cluster have tests of their own.
    it("cover every documented configuration", () => {
        const listed = ["stacks", "examples"].flatMap((each) =>
            readdirSync(join(root, each))
                .filter((file) => /^Pulumi\.(aws|do)-.*\.yaml$|^aws-program\.ts$/.test(file))
                .map((file) => join(each, file)),
        );
        const previewed = Object.values(configurations).flatMap(({ files, program }) => [
            ...Object.values(files),
            ...(program ? [program] : []),
        ]);
        assert.deepEqual(previewed.sort(), listed.sort());
    });

    for (const [cloud, { base, variants, files, program }] of Object.entries(configurations) as [
        CloudName,
        Configurations,
    ][]) {
        // One run of the engine for all: starting it takes longer than previewing a cluster.
        it(`match the reviewed ones, for each configuration on ${cloud}`, async () => {
            const account = openAccount[cloud](path());
            const brought = account.left;
            const configs = {
                base,
                ...mapValues(files, configOf),
                ...mapValues(variants, (config) => ({ ...base, ...config })),
            };
            const names = Object.keys(configs);
            const clusters = names.map((_, index) => `c${String(index).padStart(2, "0")}`);
            const given = Object.fromEntries(clusters.map((each, index) => [each, Object.values(configs)[index]]));
            const programs = ["test/engine/previews/program.ts", ...(program ? [program] : [])];
            const { exitCode, output, changes } = await preview(
                programs
                    .map((each) => `Object.assign(exports, require(${JSON.stringify(join(root, each))}));`)
                    .join("\n"),
                { "aws:region": "eu-central-1" },
                { "clusters.json": JSON.stringify(given) },
            );
            assert.equal(exitCode, 0, output);
            assert.deepEqual(Object.keys(changes), ["create"]);
            assert.deepEqual(account.left, brought);
            assert.doesNotMatch(output, /secret-of-the-store/);

            const all = readPreview(output);
            const first = ofCluster(all, clusters[0]!);
            golden(join(__dirname, "previews", cloud), names[0]!, render(first, cloud));
            // The cluster of a program has this name.
            for (const [index, cluster] of [...clusters, ...(program ? ["program"] : [])].slice(1).entries()) {
                const own = ofCluster(all, cluster);
                assert.ok(own.length > 100, `${cluster} has ${own.length} resources`);
                golden(join(__dirname, "previews", cloud), names[index + 1] ?? cluster, differences(first, own, cloud));
            }
            if (program) assert.match(output, /ingressName *: "ingress\.program\.example\.com"/);
        });
    }

    it("reject an existing network if a subnet is missing", async () => {
        const account = openAccount.aws(path());
        account.remove("subnets", "subnet-0123456789abcde02");
        const config = configOf("examples/Pulumi.aws-existing-network.yaml");
        const { exitCode, output } = await preview(`module.exports = require("${join(root, "stacks")}");`, config);
        assert.notEqual(exitCode, 0);
        // Once, although several resources wait for the result.
        assert.equal(output.match(/subnetIds\[1\] must be the id of a subnet/g)?.length, 1, output);
        assert.match(
            output,
            /subnetIds\[1\] must be the id of a subnet in the region \(got subnet-0123456789abcde02\): /,
        );
        assert.doesNotMatch(output, /existing-network\.ts/);
    });
});

/** A cluster's own resources, under the same name for all clusters. */
function ofCluster(all: readonly Previewed[], cluster: string): Previewed[] {
    const name = new RegExp(`\\b${cluster}\\b`, "g");
    return all
        .filter((each) => each.name.search(name) === 0)
        .map(({ heading, body, ...each }) => ({
            ...each,
            heading: heading.replaceAll(name, "c"),
            body: body.map((line) => line.replaceAll(name, "c")),
        }));
}
