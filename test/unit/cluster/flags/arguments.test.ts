import assert from "node:assert/strict";
import { commandLine, withExtra } from "../../../../cluster/flags/check";

describe("commandLine", () => {
    it("has each flag with its value", () => {
        assert.deepEqual(commandLine({ a: "1", b: "2" }), ["--a=1", "--b=2"]);
    });
});

describe("extra flags", () => {
    it("replace generated ones in place; new ones are appended", () => {
        const flags = withExtra("kube-apiserver", { profiling: "false", b: "2" }, { v: "3", profiling: "true" });
        assert.deepEqual(Object.entries(flags), [
            ["profiling", "true"],
            ["b", "2"],
            ["v", "3"],
        ]);
    });

    for (const [flag, ours, added, expected] of [
        ["enable-admission-plugins", "NodeRestriction", "AlwaysPullImages", "NodeRestriction,AlwaysPullImages"],
        [
            "enable-admission-plugins",
            "NodeRestriction",
            " AlwaysPullImages , NodeRestriction",
            "NodeRestriction,AlwaysPullImages",
        ],
        ["enable-admission-plugins", "NodeRestriction", "", "NodeRestriction"],
        ["feature-gates", "A=true", "B=false,A=false", "A=false,B=false"],
        ["feature-gates", "", " B=false ,", "B=false"],
        ["runtime-config", "", "api/beta=true, a/v1=false", "api/beta=true,a/v1=false"],
    ] as const) {
        it(`of ${flag} are added: ${ours || "none"} and ${added || "none"}`, () => {
            const flags: Record<string, string> = ours ? { [flag]: ours } : {};
            assert.equal(withExtra("kube-apiserver", flags, { [flag]: added })[flag], expected);
        });
    }

    it("keep the controllers that a cluster needs", () => {
        const ours = { controllers: "*,bootstrapsigner,tokencleaner" };
        const { controllers } = withExtra("kube-controller-manager", ours, { controllers: "-ttl,*" });
        assert.equal(controllers, "*,bootstrapsigner,tokencleaner,-ttl");
    });
});
