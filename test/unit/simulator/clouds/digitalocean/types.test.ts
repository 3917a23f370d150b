import { types } from "../../../../../simulator/clouds/digitalocean/types";
import { itHasTheTypesOf } from "../../plugins/sdk-types";

describe("the types of the simulated DigitalOcean", () => itHasTheTypesOf("@pulumi/digitalocean", types));
