"""The table of kinds: id, level, the sentence in both languages, and the check."""

from __future__ import annotations

from opspec.workshop.audit import on_cells, on_contradictions, on_pages, on_products, on_prototypes, on_returns, on_rows
from opspec.workshop.audit.model import Kind

KINDS = (
    # the page
    Kind("title", "error", "the title names no operator", "标题没有写出算子名", on_pages.title),
    Kind("file-name", "error", "the file is named {found}, its operator {expected}", "文件名为{found}，算子名为{expected}", on_pages.file_name),
    Kind("heading", "error", "a heading names {found}, which is no function of this page; {expected} is meant", "标题写的是{found}，不是本页的接口，应为{expected}", on_pages.heading),
    Kind("heading-level", "slip", "the heading of a section is {found}, expected {expected}", "章节标题级别为{found}，应为{expected}", on_pages.level),
    Kind("section-missing", "error", "there is no section for {expected}", "缺少{expected}的章节", on_pages.section_missing),
    Kind("two-pages", "error", "{operator} has another page: {found}", "{operator}另有一个页面：{found}", on_pages.two_pages),
    Kind("link", "slip", "the link leads to no page: {found}", "链接的页面不存在：{found}", on_pages.link),
    Kind("table-open", "slip", "a table is not closed", "表格没有结束标签", on_pages.table_open),
    Kind("few-cells", "slip", "the row of {param} has {found} cells, the head {expected}", "参数{param}的行有{found}个单元格，表头有{expected}个", on_pages.few_cells),
    Kind("no-name", "slip", "a row names no param: {found}", "表格行没有参数名：{found}", on_pages.no_name),
    # products
    Kind("no-products", "error", "there is no section on products", "缺少支持产品的章节", on_products.no_table),
    Kind("unknown-product", "error", "no product is called {found}", "没有名为{found}的产品", on_products.unknown_product),
    Kind("no-mark", "error", "a product is marked {found}, expected {expected}", "产品的标记为{found}，应为{expected}", on_products.no_mark),
    Kind("products-missing", "slip", "the table of products lists {found} and leaves out {expected}", "产品表列出了{found}，缺少{expected}", on_products.missing),
    Kind("product-twice", "error", "product {param} is marked twice and differently: {found}", "产品{param}出现两次且标记不同：{found}", on_products.contradiction),
    Kind("unsupported-rules", "error", "product {param} is marked unsupported, but the text has rules for it", "产品{param}标记为不支持，正文却有针对它的说明", on_products.unsupported),
    # prototypes
    Kind("prototype-missing", "error", "there is no prototype of {expected}", "缺少{expected}的函数原型", on_prototypes.missing),
    Kind("no-return-type", "error", "the prototype of {found} has no return type {expected}", "{found}的函数原型缺少返回类型{expected}", on_prototypes.no_return_type),
    Kind("second-missing", "error", "there is no prototype of the second phase, {expected}", "缺少第二段接口{expected}的函数原型", on_prototypes.second_missing),
    Kind("foreign-prototype", "error", "the prototype of {found} stands on the page of {expected}", "{expected}的页面上出现了{found}的函数原型", on_prototypes.foreign),
    Kind("invalid-c", "error", "the prototype declares {param} as {found!r}, which is no known type", "函数原型中{param}的声明{found!r}不是已知类型", on_prototypes.invalid_param),
    Kind("missing-comma", "error", "the prototype lacks a comma: {found!r}", "函数原型缺少逗号：{found!r}", on_prototypes.missing_comma),
    Kind("param-twice", "error", "the prototype declares {found} twice", "函数原型中{found}出现两次", on_prototypes.param_twice),
    Kind("first-tail", "slip", "the first phase ends with {found!r}, expected {expected!r}", "第一段接口末尾为{found!r}，应为{expected!r}", on_prototypes.first_tail),
    Kind("second-params", "slip", "the second phase has {found}, expected {expected}", "第二段接口的参数为{found}，应为{expected}", on_prototypes.second_params),
    # the table of params against the prototype
    Kind("not-in-table", "error", "param {expected} of the prototype is not in the table", "函数原型中的参数{expected}不在参数表中", on_rows.not_in_table),
    Kind("not-a-param", "error", "the table describes {found}, which is no param of the prototype", "参数表中的{found}不在函数原型中", on_rows.not_a_param),
    Kind("name-differs", "error", "the table calls {found} what the prototype calls {expected}", "参数表写作{found}，函数原型写作{expected}", on_rows.name_differs),
    Kind("order-differs", "error", "the table has {found} where the prototype has {expected}", "参数顺序不同：参数表为{found}，函数原型为{expected}", on_rows.order_differs),
    Kind("row-twice", "error", "the table describes {found} twice", "参数表中{found}出现两次", on_rows.row_twice),
    Kind("type-differs", "error", "the row of {param} says {found}, the prototype {expected}", "参数{param}的类型在参数表中为{found}，函数原型中为{expected}", on_rows.type_differs),
    Kind("type-without-pointer", "slip", "the row of {param} says {found}, the prototype {expected}", "参数{param}的类型在参数表中为{found}，函数原型中为{expected}", on_rows.type_without_pointer),
    Kind("no-direction", "error", "the cell on the direction of {param} says {found}", "参数{param}的输入/输出列写作{found}", on_rows.no_direction),
    Kind("written-input", "error", "{param} is written, but marked {found}; expected {expected}", "参数{param}会被写入，却标记为{found}，应为{expected}", on_rows.written_input),
    Kind("const-output", "note", "output {param} is declared {found}", "输出参数{param}的类型为{found}", on_rows.const_output),
    # dtypes and formats
    Kind("unknown-dtype", "error", "the cell of {param} on dtypes lists {found}, which is none", "参数{param}的数据类型列中{found}不是数据类型", on_cells.unknown_dtype),
    Kind("dtype-spelling", "slip", "the cell of {param} lists {found}; {expected} is meant", "参数{param}的数据类型写作{found}，应为{expected}", on_cells.dtype_spelling),
    Kind("dtype-in-text", "slip", "the text has {found}; {expected} is meant", "正文中写作{found}，应为{expected}", on_cells.dtype_in_text),
    Kind("unknown-format", "error", "{found} is no format", "{found}不是数据格式", on_cells.unknown_format),
    Kind("same-twice", "slip", "the cell of {param} lists {expected} twice: {found}", "参数{param}的单元格重复列出{expected}：{found}", on_cells.same_twice),
    Kind("footnote", "slip", "the mark of {found} is explained nowhere", "{found}的角标没有说明", on_cells.footnote),
    # return codes
    Kind("status-number", "error", "{found}: name and number differ; expected {expected}", "{found}：返回码与返回值不一致，应为{expected}", on_returns.number_differs),
    Kind("unknown-status", "error", "{found} is no status", "{found}不是返回码", on_returns.unknown_status),
    Kind("no-null-row", "error", "the return codes do not have {expected}", "返回码中没有{expected}", on_returns.no_null_row),
    Kind("null-no-param", "error", "a row of 161001 names {found}, which is no param", "161001的说明中{found}不是参数", on_returns.null_of_no_param),
    Kind("return-no-param", "error", "a return row names {found} among params, and it is none", "返回码说明中与参数并列的{found}不是参数", on_returns.enumeration_of_no_param),
    Kind("name-in-text", "slip", "the text spells param {expected} as {found}", "正文把参数{expected}写作{found}", on_returns.name_in_text),
    # the page against itself
    Kind("optional-null", "error", "{param} is optional ({expected}), and a null pointer for it an error (161001)", "参数{param}可选（{expected}），161001却要求非空", on_contradictions.optional_null),
    Kind("note-takes-away", "slip", "a note excludes {found}, which the cells do not list", "说明中排除了{found}，但数据类型列没有列出", on_contradictions.note_takes_away),
    Kind("note-goes-beyond", "error", "a note allows {found}, which the cells do not list", "说明中支持{found}，但数据类型列没有列出", on_contradictions.note_goes_beyond),
    Kind("empty-tensor", "error", "the row of {param} both takes and refuses empty tensors", "参数{param}的说明既支持又不支持空Tensor", on_contradictions.empty_tensor),
    Kind("strides", "error", "the column of {param} on non-contiguous tensors says {expected}, its text the opposite", "参数{param}的非连续Tensor列为{expected}，文字说明相反", on_contradictions.strides),
    Kind("rank-shape", "error", "the rank of {param} is {expected} in the cell, but its shape is {found}", "参数{param}的维度列为{expected}，shape却为{found}", on_contradictions.rank_and_shape),
    Kind("rank-return", "error", "the rank of {param} is {expected} in the cell, but an error only {found}", "参数{param}的维度列为{expected}，返回码说明却为{found}", on_contradictions.rank_and_return),
)  # fmt: skip
