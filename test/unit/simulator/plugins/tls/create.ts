import assert from "node:assert/strict";
import {
    type CreateOperation,
    isObject,
    type Properties,
    type Resource,
    Secret,
} from "../../../../../simulator/plugins/protocol/serve";

const log = { debug() {}, info() {}, warn() {}, error() {}, status() {} };

/** The outputs of a created resource, with secrets as plain values. */
export async function create(resource: Resource, inputs: object): Promise<Properties> {
    const operation = {
        urn: "urn:pulumi:test::test::test:index:Test::it",
        type: "test:index:Test",
        name: "it",
        log,
        signal: new AbortController().signal,
        secrets: new Set<string>(),
        inputs: inputs as Properties,
        preview: false,
        timeout: 0,
    } satisfies CreateOperation;
    const checked = await resource.check?.({ ...operation, oldInputs: {} });
    assert.deepEqual(checked?.failures ?? [], []);
    const { state } = await resource.create(operation);
    assert.ok(isObject(state));
    return Object.fromEntries(
        Object.entries(state).map(([name, value]) => [name, value instanceof Secret ? value.value : value]),
    );
}
