// The parts of Apache ECharts that echarts_option.cpp speaks to, and no others: a report carries
// what is imported here.
import { use, init, version } from "echarts/core";
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent, DataZoomInsideComponent, GridComponent, LegendComponent, MarkAreaComponent,
  MarkLineComponent, TooltipComponent,
} from "echarts/components";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

use([
  BarChart, CustomChart, LineChart, ScatterChart,
  AriaComponent, DataZoomInsideComponent, GridComponent, LegendComponent, MarkAreaComponent,
  MarkLineComponent, TooltipComponent,
  LabelLayout, SVGRenderer,
]);

export { init, version };
