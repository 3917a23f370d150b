import assert from "node:assert/strict";
import { commentOn, interfacesOf } from "../../../../dev/reference/configuration";

const interfaces = interfacesOf([
    `export interface Cluster extends Omit<Shared, "x"> {
        /** Pools. */
        workerPools?: Pool[];
        bare?: string;
    }
    export interface Shared {
        network?: Network;
        ingress?: Ingress;
    }
    export interface Network {
        /** Addresses of pods. */
        podCidr?: string;
    }
    export interface Pool {
        /** How many. */
        count?: number;
    }
    /** Workers take HTTP. */
    export interface Ingress {}`,
]);

describe("the description of a key", () => {
    const on = (key: string, description?: string) =>
        commentOn({ key, type: "string", isRequired: false, schema: { description } }, "Cluster", interfaces).text;

    it("is the comment of the option that it becomes", () => {
        assert.equal(on("pools"), "Pools.");
        assert.equal(on("pools[].count"), "How many.");
        assert.equal(on("podCidr"), "Addresses of pods.");
    });

    it("is the comment of its type, if it has none of its own", () =>
        assert.equal(on("ingress"), "Workers take HTTP."));

    it("is that of the schema, if it has one", () => assert.equal(on("podCidr", "Others."), "Others."));

    it("is never empty", () => {
        for (const key of ["bare", "unknown"]) {
            assert.throws(
                () => on(key),
                new Error(`${key} has no description: add a comment in Cluster or a description in its schema`),
            );
        }
    });
});
