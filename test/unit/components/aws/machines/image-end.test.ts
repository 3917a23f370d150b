import assert from "node:assert/strict";
import {
    describeImageEnd,
    type ImageState,
    type ImageUse,
} from "../../../../../components/aws/machines/image-warnings";

const now = Date.parse("2026-11-25T00:00:00Z");
const flatcar: ImageUse = {
    id: "ami-1",
    asked: "flatcar-stable",
    distribution: "flatcar",
    machines: ["c-controller-0", "pool default"],
    newest: "flatcar-stable-4593.2.1",
};
const fedora: ImageUse = { ...flatcar, asked: "fedora-coreos-stable", distribution: "fedora-coreos" };
const own: ImageUse = { id: "ami-1", asked: "ami-1", machines: ["pool default"] };
const found = (creationDate: string, deprecationTime = ""): ImageState => ({
    found: { id: "ami-1", creationDate, deprecationTime },
});

const boots = "The AMI ami-1 \\(flatcar-stable\\), which c-controller-0 and pool default boot,";

describe("the end of an AMI that machines boot", () => {
    const quiet: Readonly<Record<string, [ImageUse, ImageState]>> = {
        "one of Flatcar that is young": [flatcar, found("2026-09-01T00:00:00.000Z", "2028-09-01T00:00:00.000Z")],
        "one of Fedora's that is old": [fedora, found("2025-01-01T00:00:00.000Z")],
        "one of the owner's that is old": [own, found("2020-01-01T00:00:00.000Z")],
        "one of which EC2 says no date": [flatcar, { found: { id: "ami-1" } }],
    };
    for (const [what, [use, state]] of Object.entries(quiet)) {
        it(`is no matter of ${what}`, () => assert.equal(describeImageEnd(use, state, now), undefined));
    }

    const warned: Readonly<Record<string, [ImageUse, ImageState, string]>> = {
        "is gone": [
            flatcar,
            { isMissing: true },
            `^${boots} no longer exists: new and replaced instances will not start`,
        ],
        "is deprecated": [
            flatcar,
            found("2026-09-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"),
            `^${boots} has been deprecated since 2026-11-01 and may be removed at any time: `,
        ],
        "will be deprecated soon": [
            own,
            found("2026-09-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"),
            "which pool default boots, will be deprecated on 2026-12-01: ",
        ],
        "is close to Flatcar's nine months": [
            flatcar,
            found("2026-03-25T00:00:00.000Z"),
            `^${boots} is kept by Flatcar for nine months, until about 2026-12-20: `,
        ],
        "is older than that": [flatcar, found("2025-12-01T00:00:00.000Z"), `^${boots} is older than the nine months`],
        "was not checked": [
            own,
            { problem: "UnauthorizedOperation" },
            "^Could not check .* still exists: UnauthorizedOperation$",
        ],
    };
    for (const [what, [use, state, text]] of Object.entries(warned)) {
        it(`is warned of when it ${what}`, () => assert.match(describeImageEnd(use, state, now)!, new RegExp(text)));
    }

    it("is reported with what to do", () => {
        const remedy =
            /Set image to a newer one, such as flatcar-stable-4593\.2\.1; controllers boot it when listed in recreate$/;
        assert.match(describeImageEnd(flatcar, { isMissing: true }, now)!, remedy);
    });
});
