-- pandoc filter: elements with a `data-typst` attribute become calls of the template's functions.
-- The call is made in Python (fieldguide/pdf/mapping.py); here it is only put around what pandoc wrote.

local function wrapped(element, raw, close)
  local call = element.attributes.typst
  if not call then
    error("element without a call: " .. pandoc.utils.stringify(element))
  end
  if #element.content == 0 then
    return { raw("typst", "#" .. call .. ";") }
  end
  local content = { raw("typst", "#" .. call .. "[") }
  for _, item in ipairs(element.content) do
    content[#content + 1] = item
  end
  content[#content + 1] = raw("typst", close)
  return content
end

function Span(element)
  return wrapped(element, pandoc.RawInline, "];")
end

function Div(element)
  return wrapped(element, pandoc.RawBlock, "]")
end

-- Typst would set a hyphen before a digit as a minus sign; dates and versions keep their hyphens.
function Str(element)
  if not element.text:find("%-%d") then
    return nil
  end
  local parts, rest = {}, element.text
  while true do
    local at = rest:find("%-%d")
    if not at then
      break
    end
    parts[#parts + 1] = pandoc.Str(rest:sub(1, at - 1))
    parts[#parts + 1] = pandoc.RawInline("typst", "\\-")
    rest = rest:sub(at + 1)
  end
  parts[#parts + 1] = pandoc.Str(rest)
  return parts
end
