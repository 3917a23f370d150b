import assert from "node:assert/strict";

/** Asserts that `up` told of this many machines that each was drained, and back before the next one was. */
export function areResizedInTurn(output: string, count: number): void {
    // The engine prints it once more at the end.
    const told = [...new Set(output.match(/cordoning and draining \S+|\S+ is back/g))];
    const order = told.flatMap((line) => /^(\S+) is back$/.exec(line)?.[1] ?? []);
    assert.equal(order.length, count, told.join("\n"));
    assert.deepEqual(
        told,
        order.flatMap((name) => [`cordoning and draining ${name}`, `${name} is back`]),
    );
}
