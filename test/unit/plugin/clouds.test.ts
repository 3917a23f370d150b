import type * as pulumi from "@pulumi/pulumi";
import type * as components from "../../../index";
import type { AwsCluster } from "../../../plugin/clouds/aws";
import type { DigitalOceanCluster } from "../../../plugin/clouds/digitalocean";

/**
 * Properties of a component that others do not have, except for its provider: resource options take no output, so that
 * programs in other languages create one. Source: https://github.com/pulumi/pulumi-eks/issues/822.
 */
type Own<C> = Omit<C, keyof pulumi.ComponentResource | "provider">;
/** Values once they are known. */
type Known<C> = { [K in keyof Own<C>]: pulumi.Unwrap<Own<C>[K]> };
type Fits<Facade, Real> = [Facade, Real] extends [Real, Facade] ? true : "an output is missing, unknown or different";

describe("the outputs that other languages have", () => {
    // The type check is the test.
    it("are those of the components", () => {
        true satisfies Fits<Known<AwsCluster>, Known<components.AwsCluster>>;
        true satisfies Fits<Known<DigitalOceanCluster>, Known<components.DigitalOceanCluster>>;
    });
});
