import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { cloudControllerPermissions } from "../../../components/aws/iam/cloud-controller-permissions";
import { autoscalerPermissions, csiDriverPermissions } from "../../../components/aws/iam/driver-permissions";
import { KUBERNETES_VERSIONS } from "../../../versions";
import { cloudImagesFor } from "../../../versions/cloud-images";

const text = readFileSync(resolve(__dirname, "../../../docs/cloud-controllers.md"), "utf8");

/** Cells of the table below a heading, without its header. */
function table(heading: string): string[][] {
    const section = text.split(`\n### ${heading}\n`)[1]!.split(/\n#+ /)[0]!;
    const rows = section.split("\n").filter((line) => line.startsWith("|"));
    return rows.slice(2).map((row) =>
        row
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim()),
    );
}

describe("the documentation of clouds' controllers", () => {
    it("leaves permissions on AWS to the page generated from the policies, which lists them all", () => {
        assert.match(text, /\]\(permissions\.md#instances-on-aws\)/);
        const permissions = readFileSync(resolve(__dirname, "../../../docs/permissions.md"), "utf8");
        const scope = { cluster: "c", region: "eu-central-1", vpcId: "vpc-1" };
        const allowances = [cloudControllerPermissions, csiDriverPermissions, autoscalerPermissions].flatMap((of) =>
            of(scope),
        );
        const missing = allowances
            .flatMap(({ actions }) => actions)
            .filter((each) => !permissions.includes(`\`${each}\``));
        assert.deepEqual(missing, []);
    });

    it("lists every image, and says which digest is unknown", () => {
        const images = [...new Set(KUBERNETES_VERSIONS.flatMap((version) => Object.values(cloudImagesFor(version))))];
        const rows = images.map((image) => {
            const [name, digest] = image.split("@");
            return [`\`${name}\``, digest ? "pinned" : "unknown"];
        });
        assert.deepEqual(
            table("Images")
                .map((cells) => cells.slice(0, 2))
                .sort(),
            rows.sort(),
        );
    });
});
