import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
    requireFoundZone,
    requirePrivateZone,
    requirePublicZone,
} from "../../../../../components/aws/network/hosted-zones";
import { resolved } from "../../../deploy";

const names = ["example.com", "c.example.com"];
const zone = { zoneId: "Z1", name: "example.com", privateZone: true };

describe("an existing private hosted zone", () => {
    it("is taken of the domain, or of the cluster's own names", () => {
        for (const name of [...names, "c.example.com."]) {
            assert.equal(requireFoundZone("privateZone", { ...zone, name }, names), "Z1");
        }
    });

    it("is refused of other names, and when it is public", () => {
        assert.throws(() => requireFoundZone("privateZone", { ...zone, name: "example.org" }, names), {
            message:
                "privateZone must be the id of a hosted zone for example.com or c.example.com, not for example.org (got Z1)",
        });
        assert.throws(() => requireFoundZone("privateZone", { ...zone, privateZone: false }, names), {
            message: "privateZone must be the id of a private hosted zone (got Z1)",
        });
    });
});

describe("a public hosted zone given by its id", () => {
    it("must be public and for the domain", () => {
        const found = { ...zone, privateZone: false };
        for (const name of ["example.com", "example.com."]) {
            assert.equal(requireFoundZone("publicZone", { ...found, name }, ["example.com"]), "Z1");
        }
        assert.throws(() => requireFoundZone("publicZone", zone, ["example.com"]), {
            message: "publicZone must be the id of a public hosted zone (got Z1)",
        });
        assert.throws(() => requireFoundZone("publicZone", { ...found, name: "example.org" }, ["example.com"]), {
            message: "publicZone must be the id of a hosted zone for example.com, not for example.org (got Z1)",
        });
    });

    it("is refused with a private zone, and if it is no id, as an output too", async () => {
        assert.throws(() => requirePublicZone("Z1", "own"), {
            message: "publicZone conflicts with privateZone (got Z1)",
        });
        const message = "publicZone must be a hosted zone id, such as Z0123456789 (got example.com)";
        assert.throws(() => requirePublicZone("example.com", undefined), { message });
        const late = requirePublicZone(pulumi.output("example.com"), undefined);
        await assert.rejects(resolved(late as pulumi.Output<string>), { message });
    });
});

describe("a private hosted zone that comes from another resource", () => {
    it("is an id, once it is known", async () => {
        const zone = requirePrivateZone(pulumi.output("Z1"), "internal") as { id: pulumi.Output<string> };
        assert.equal(await resolved(zone.id), "Z1");
        const own = requirePrivateZone(pulumi.output("own"), "internal") as { id: pulumi.Output<string> };
        await assert.rejects(resolved(own.id), {
            message: "privateZone must be a hosted zone id, such as Z0123456789 (got own)",
        });
    });

    it("is refused for a public API at once", () => {
        assert.throws(() => requirePrivateZone(pulumi.output("Z1"), "public"), {
            message: "privateZone requires apiAccess internal (got an output)",
        });
    });
});
