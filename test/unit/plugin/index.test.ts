import type * as pulumi from "@pulumi/pulumi";
import type * as components from "../../../index";
import type * as plugin from "../../../plugin";

/** What a component has beside what every one has. */
type Own<C> = Omit<C, keyof pulumi.ComponentResource>;
/** Values as they are when they are known. */
type Known<C> = { [K in keyof Own<C>]: pulumi.Unwrap<Own<C>[K]> };
type Fits<Facade, Real> = [Facade, Real] extends [Real, Facade] ? true : "an output is missing, nobody's, or another";

describe("the outputs that other languages have", () => {
    // The type check is the test.
    it("are those of the components", () => {
        true satisfies Fits<Known<plugin.AwsCluster>, Known<components.AwsCluster>>;
        true satisfies Fits<Known<plugin.DigitalOceanCluster>, Known<components.DigitalOceanCluster>>;
    });
});
