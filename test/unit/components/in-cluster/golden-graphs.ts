import assert from "node:assert/strict";
import { lastingToken, machineToken } from "../../../../cluster/manifests/nodes/bootstrap-tokens";
import type { Deployed } from "../../deploy";
import { golden } from "../../golden";
import { resourceChanges } from "./resource-changes";
import { graphChanges, resourceGraph } from "./resource-graph";

export interface GoldenGraphs<T> {
    /** Prefix of its resource types: `aws`. */
    readonly cloud: string;
    /** Folder of the test. */
    readonly folder: string;
    readonly deploy: (options: T) => Promise<{ readonly resources: Deployed[] }>;
    /**
     * Options by name of the golden file with the cloud's resources, in groups: the first golden file of a group is
     * whole, the others are changes to it.
     */
    readonly graphs: readonly Readonly<Record<string, T>>[];
    /** Options by name of the golden file with their changes, including those in the cluster. @default none */
    readonly changes?: { readonly of: T; readonly by: Readonly<Record<string, T>> };
    /** Secrets of the options. @default none */
    readonly givenSecrets?: readonly string[];
}

/** Tests that clusters' resources match their golden files, and that secrets are marked as such. */
export function testGoldenGraphs<T>({ cloud, folder, deploy, graphs, changes, givenSecrets }: GoldenGraphs<T>): void {
    const deployed = async (options: T) => {
        const { resources } = await deploy(options);
        assert.deepEqual(unmarkedSecrets(resources, givenSecrets ?? []), []);
        return resources;
    };
    for (const group of graphs) {
        const [[base, options], ...others] = Object.entries(group) as [[string, T], ...[string, T][]];
        let resources: Promise<Deployed[]> | undefined;
        const ofBase = () => (resources ??= deployed(options));
        it(`are as reviewed: ${spaced(base)}`, async () => golden(folder, base, resourceGraph(await ofBase(), cloud)));
        for (const [name, changed] of others) {
            it(`differ as reviewed from ${spaced(base)}: ${spaced(name)}`, async () =>
                golden(folder, name, graphChanges(await ofBase(), await deployed(changed), cloud)));
        }
    }
    for (const [name, options] of Object.entries(changes?.by ?? {})) {
        it(`change as reviewed: ${spaced(name)}`, async () => {
            const before = (await deploy(changes!.of)).resources;
            golden(folder, name, resourceChanges(before, await deployed(options), cloud));
        });
    }
}

const spaced = (name: string) => name.replaceAll("-", " ");

/** Places where a private key, bootstrap token or given secret is in a non-secret input, encoded or not. */
function unmarkedSecrets(resources: readonly Deployed[], given: readonly string[]): string[] {
    const keys = resources
        .filter(({ type }) => type === "tls:index/privateKey:PrivateKey")
        .map(({ name }) => `${name} key`);
    assert.notEqual(keys.length, 0);
    const nodes = resources.flatMap(({ name }) => /^(.*)-token-lifetime-(.*)$/.exec(name)?.slice(1).join("-") ?? []);
    // From the fake command provider.
    const end = "2030-01-01T00:00:00Z";
    const tokens = keys.flatMap((key) => [lastingToken(key), ...nodes.map((node) => machineToken(key, node, end))]);
    const secrets = [...keys, ...tokens, ...given];
    return resources.flatMap(({ type, name, inputs, secretInputs }) =>
        Object.entries(inputs)
            .filter(([input]) => !secretInputs.includes(input))
            .filter(([, value]) => {
                const once = `${JSON.stringify(value)}`;
                const forms = [once, decoded(once), decoded(decoded(once))];
                return secrets.some((secret) => forms.some((form) => form.includes(secret)));
            })
            .map(([input]) => `${type} ${name}: ${input}`),
    );
}

/** Possible base64 in a text, including URL-encoded, decoded: files are encoded so in nodes' configs. */
function decoded(text: string): string {
    const plain = text.replaceAll(/%([0-9A-F]{2})/gi, (_, byte: string) =>
        String.fromCharCode(Number.parseInt(byte, 16)),
    );
    const encoded = plain.match(/[A-Za-z0-9+/]{12,}={0,2}/g) ?? [];
    return [plain, ...encoded.map((each) => Buffer.from(each, "base64").toString("latin1"))].join("\n");
}
