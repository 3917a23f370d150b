import type { AwsClusterArgs, DigitalOceanClusterArgs, KeyOptions } from "../../../index";
import type * as aws from "../../../plugin/clouds/aws";
import type * as digitalocean from "../../../plugin/clouds/digitalocean";
import type * as shared from "../../../plugin/clouds/shared";

/** The same options, which the component accepts, except for lists in another form. */
type Fits<Facade, Real> = [keyof Facade, keyof Real] extends [keyof Real, keyof Facade]
    ? Omit<Facade, "keys"> extends Omit<Real, "keys">
        ? true
        : "an option is of another type"
    : "an option is missing or unknown";

describe("the options that other languages have", () => {
    // The type check is the test.
    it("are those of the components", () => {
        true satisfies Fits<aws.AwsClusterArgs, AwsClusterArgs>;
        true satisfies Fits<digitalocean.DigitalOceanClusterArgs, DigitalOceanClusterArgs>;
        true satisfies Fits<Omit<shared.KeyOptions, "encryption">, Omit<KeyOptions, "encryption">>;
    });
});
