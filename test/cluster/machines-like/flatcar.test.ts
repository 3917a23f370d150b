import { describeLong } from "../../takes-long";
import { describeBareMachine } from "./bare-machine";
import { likeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("flatcar", systems.flatcar);

// What is inside must not need the proxy, which does not exist. SELinux must do no harm where the kernel has none.
const httpProxy = "http://192.0.2.1:3128";
const settings = { proxy: { httpProxy, httpsProxy: httpProxy }, selinux: true };

describeLong("a cluster of machines like Flatcar", likeCluster("flatcar", systems.flatcar, "ignition", settings));
