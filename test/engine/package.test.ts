import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { CHECKS } from "../../dev/release/checks";
import { EmptyProject, example, root } from "../../dev/release/empty-project";
import { itLong } from "../takes-long";
import { change, homeOfLanguages, installGoSdk, installPythonSdks, takeExample } from "./package/languages";
import { previewOf, withProgram } from "./package/program";
import { type Previewed, readPreview, render } from "./paper/readable-preview";
import type { Workspace } from "./workspace";

const secret = "not-for-anybodys-eyes";

const abroad = 'const abroad = new (require("@pulumi/aws").Provider)("abroad", { region: "eu-central-1" });\n';

/** What a preview creates, as reported by the engine. */
interface Created {
    readonly urn: string;
    readonly type: string;
    readonly protect?: boolean;
    /** URN and id. */
    readonly provider: string;
    readonly inputs: Readonly<Record<string, unknown>>;
}

const pythonTransform = `
def ours(args):
    props = dict(args.props)
    if args.type_ == "aws:ec2/instance:Instance":
        props["tags"] = {**props["tags"], "team": "blue"}
    elif args.type_ == "kubernetes:apps/v1:Deployment":
        props["metadata"] = {**props["metadata"], "annotations": {"team": "blue"}}
    else:
        return None
    return pulumi.ResourceTransformResult(props=props, opts=args.opts)


`;

describe("the npm package", function () {
    this.timeout(240_000);
    let project: EmptyProject;
    /** What the TypeScript example creates, run from here. */
    let checkouts: readonly Previewed[];
    let contents: readonly string[];

    before(async () => {
        project = new EmptyProject();
        await project.link();
    });
    after(() => project.remove());

    for (const [does, check] of Object.entries(CHECKS)) {
        it(does, () => check(project));
    }

    it("creates the same as the checkout, for two clusters in one program", async () => {
        const { outputText } = ts.transpileModule(project.program, {
            compilerOptions: { module: ts.ModuleKind.CommonJS },
        });
        const another = outputText
            .replace('AwsCluster("program"', 'AwsCluster("another"')
            .replace(/(ingress: .*\s*\})\)/, "$1, { provider: abroad })");
        assert.match(another, /"another"[\s\S]*\{ provider: abroad \}\)/);
        for (const [name, text] of Object.entries({ program: outputText, another: `${abroad}${another}` })) {
            project.write(`${name}.js`, text);
        }
        const programs = ["program", "another"].map(
            (name) => `require(${JSON.stringify(join(project.dir, `${name}.js`))});`,
        );
        const [own, created] = await withProgram(programs.join("\n"), {}, async (workspace) => [
            readPreview(await previewOf(workspace)),
            madeIn(workspace),
        ]);
        const providers = (cluster: string) =>
            created.filter(({ urn, type }) => type.startsWith("aws:") && urn.includes(`::${cluster}-`)).map(providerOf);
        assert.ok(providers("another").length > 20);
        assert.deepEqual([...new Set(providers("another"))], ["abroad"]);
        assert.ok(!providers("program").includes("abroad"));
        const printed = await preview([example]);
        checkouts = of("program", readPreview(printed));
        contents = namesByContent(printed);
        assert.ok(contents.length > 3);
        assert.ok(checkouts.length > 100);
        assert.equal(render(of("program", own), "aws"), render(checkouts, "aws"));
        assert.equal(of("another", own).length, of("program", own).length);
    });

    describe("as a plugin for other languages", () => {
        let home: string;

        before(async () => {
            home = await homeOfLanguages();
        });
        after(() => rmSync(home, { recursive: true, force: true }));

        itLong("creates the same for a Python program, from a checkout", () =>
            withProgram("", { PULUMI_HOME: home }, async (workspace) => {
                await takeExample(workspace, "python", root);
                installPythonSdks(workspace.dir);
                const printed = await previewOf(workspace);
                assert.equal(render(of("program", readPreview(printed)), "aws"), render(checkouts, "aws"));
                assert.deepEqual(namesByContent(printed), contents);
                assert.match(printed, /apiUrl *: "https:\/\/api\.program\.example\.com:6443"/);
            }),
        );

        itLong("takes transforms of a Python program, which reach every resource of the cluster", () =>
            withProgram("", { PULUMI_HOME: home }, async (workspace) => {
                await takeExample(workspace, "python", root);
                installPythonSdks(workspace.dir);
                const text = workspace.read("__main__.py");
                const [before, after] = text.split('cluster = tradewind.AwsCluster(\n    "program",\n') as [
                    string,
                    string,
                ];
                const opts = "opts=pulumi.ResourceOptions(transforms=[ours])";
                workspace.write(
                    "__main__.py",
                    `${before}${pythonTransform}cluster = tradewind.AwsCluster(\n    "program",\n    ${opts},\n${after}`,
                );
                await previewOf(workspace);
                const of = (type: string) => madeIn(workspace).filter((each) => each.type === type);
                const [instance] = of("aws:ec2/instance:Instance");
                assert.equal((instance!.inputs.tags as Record<string, string>).team, "blue");
                const coredns = of("kubernetes:apps/v1:Deployment").find(({ urn }) => urn.endsWith("/coredns"));
                assert.match(JSON.stringify(coredns!.inputs), /"team":"blue"/);
            }),
        );

        itLong("creates the same for a Go program, from a checkout", () =>
            withProgram("", { PULUMI_HOME: home, GOFLAGS: "-mod=mod" }, async (workspace) => {
                await takeExample(workspace, "go", root);
                installGoSdk(workspace.dir);
                const printed = await previewOf(workspace);
                assert.equal(render(of("program", readPreview(printed)), "aws"), render(checkouts, "aws"));
                assert.deepEqual(namesByContent(printed), contents);
                assert.match(printed, /apiUrl *: "https:\/\/api\.program\.example\.com:6443"/);
            }),
        );

        it("creates two clusters in YAML, each with its own resource options, from the npm package", () =>
            withProgram("", { PULUMI_HOME: home }, async (workspace) => {
                await takeExample(workspace, "yaml", project.package);
                change(workspace, twice);
                const printed = await previewOf(workspace);
                const own = readPreview(printed);
                assert.equal(render(of("program", own), "aws"), render(checkouts, "aws"));
                const events = workspace.read("events.jsonl").trim().split("\n");
                const others = madeIn(workspace).filter(({ urn }) =>
                    /\$tradewind:index:AwsCluster(\$\S+)?::another/.test(urn),
                );
                assert.ok(others.length > checkouts.length);
                const kept = others.filter(({ protect }) => protect).map(({ type }) => type.replace(/.*:/, ""));
                assert.deepEqual([...new Set(kept)].sort(), [
                    ...["AwsCluster", "Bucket", "Deployment", "LoadBalancer", "Volume", "Vpc"],
                ]);
                const ofAws = others.filter(({ type }) => type.startsWith("aws:"));
                assert.ok(ofAws.length > 20);
                assert.deepEqual([...new Set(ofAws.map(providerOf))], ["abroad"]);
                assert.ok(![printed, ...events].some((text) => text.includes(secret)));
            }));
    });

    /** The example's cluster, and one with more options. */
    // biome-ignore lint/suspicious/noExplicitAny: what the example has.
    function twice({ resources, ...project }: any): object {
        const etcdSnapshots = { s3: { endpoint: "https://s3.example.com", bucket: "snapshots", isEncrypted: false } };
        const etcdSnapshotSecrets = { "fn::secret": { accessKeyId: "id", secretAccessKey: secret } };
        const another = {
            ...resources.program,
            properties: { ...resources.program.properties, etcdSnapshots, etcdSnapshotSecrets },
            options: { parent: "${program}", provider: "${abroad}", protect: true },
        };
        const abroad = { type: "pulumi:providers:aws", properties: { region: "eu-central-1" } };
        return { ...project, resources: { ...resources, another, abroad } };
    }

    /** The output of programs' previews. */
    async function preview(programs: readonly string[]): Promise<string> {
        const text = programs.map((path) => `require(${JSON.stringify(path)});`).join("\n");
        return withProgram(text, {}, previewOf);
    }

    function madeIn(workspace: Workspace): Created[] {
        const events = workspace.read("events.jsonl").trim().split("\n");
        return events.map((line) => JSON.parse(line).resourcePreEvent?.metadata.new).filter(Boolean);
    }

    /** Name of its provider. */
    function providerOf({ provider }: Created): string {
        return provider.split("::").at(-2)!;
    }

    /** Names of objects in the cluster with a content hash: a new hash rolls pods. */
    function namesByContent(printed: string): string[] {
        return [...new Set(printed.match(/::program\/configmap\/\S+-[0-9a-f]{16}\b/g))].sort();
    }

    function of(name: string, all: readonly Previewed[]): Previewed[] {
        return all.filter((each) => each.name.startsWith(name));
    }
});
